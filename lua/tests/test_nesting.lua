-- Depth and cycles.
local demat = require("demat")
local check = require("check")

local function nested(depth, key)
  local t = {}
  for _ = 2, depth do
    t = { [key or 1] = t }
  end
  return t
end

return {
  {
    "up to the limit, and not over it",
    function()
      check.equal(check.encode(nested(1024)), ("["):rep(1023) .. "{}" .. ("]"):rep(1023))
      check.encode(nested(1024, "a"))
      check.refused(nested(1025), "depth of nesting")
      check.refused(nested(1025, "a"), "depth of nesting")
      check.refused(nested(100000), "depth of nesting")
      check.encode(nested(5), { depth = 5 })
      check.refused(nested(6), "depth of nesting", { depth = 5 })
      check.encode(nested(2000), { depth = 2000 })
      check.refused(nested(2001), "depth of nesting", { depth = 2000 })
      check.raises("`depth` must be from 1 to 2000", demat.json.encode, {}, { depth = 2001 })
      check.raises("`depth` must be from 1 to 2000", demat.json.encode, {}, { depth = 0 })
    end,
  },
  {
    "decoding has the same limit",
    function()
      check.equal(#demat.json.decode(("["):rep(1024) .. ("]"):rep(1024)), 1)
      check.raises("depth", demat.json.decode, ("["):rep(1025) .. ("]"):rep(1025))
      check.raises("depth", demat.json.decode, ("["):rep(1000000))
      check.raises("depth", demat.json.decode, ('{"a":'):rep(1000000))
      demat.json.decode(("["):rep(2000) .. ("]"):rep(2000), nil, { depth = 2000 })
      check.raises("`depth` must be at most 2000", demat.json.decode, "[]", nil, { depth = 2001 })
    end,
  },
  {
    "within a coroutine, too",
    function()
      coroutine.wrap(function()
        check.encode(nested(1024))
        demat.json.decode(("["):rep(1024) .. ("]"):rep(1024))
        check.refused(nested(1025), "depth of nesting")
      end)()
    end,
  },
  {
    "cycles are errors, with the path",
    function()
      local t = {}
      t.self = t
      check.equal(check.refused(t, "contains itself").path, "$.self")
      local list = { 1, { 2 } }
      list[2][2] = list
      check.equal(check.refused(list, "contains itself").path, "$[1][1]")
      local long = {}
      local at = long
      for _ = 1, 300 do
        at.next = {}
        at = at.next
      end
      at.next = long
      check.refused(long, "contains itself")
      check.refused({ [1] = t, x = t }, "contains itself")
    end,
  },
  {
    "a table that stands in two places is no cycle",
    function()
      local shared = { 1 }
      check.equal(check.encode({ shared, shared, { shared } }), "[[1],[1],[[1]]]")
    end,
  },
}
