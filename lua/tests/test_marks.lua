-- Marks of arrays and objects.
local demat = require("demat")
local check = require("check")
local encode = check.encode

return {
  {
    "a marked table is what the mark says",
    function()
      check.equal(encode(demat.array()), "[]")
      check.equal(encode(demat.array({})), "[]")
      check.equal(encode(demat.object({})), "{}")
      check.equal(encode(demat.object({}), { empty = "array" }), "{}")
      check.equal(encode(demat.object({ 1, 2 })), '{"1":1,"2":2}')
      check.equal(encode({ a = demat.array({ demat.array() }) }), '{"a":[[]]}')
    end,
  },
  {
    "a mark that does not hold is refused",
    function()
      check.refused({ x = demat.array({ a = 1 }) }, "marked as an array, and has keys that are not its indices")
      check.refused(demat.array({ 1, nil, 3 }), "marked as an array, and has holes")
      check.equal(encode(demat.array({ 1, nil, 3 }), { sparse = "nulls" }), "[1,null,3]")
    end,
  },
  {
    "a mark may change, but does not replace a metatable",
    function()
      check.equal(encode(demat.object(demat.array({}))), "{}")
      check.raises("metatable of its own", demat.array, setmetatable({}, {}))
      check.raises("takes a table", demat.array, 1)
    end,
  },
  {
    "what was decoded is encoded as it was",
    function()
      for _, text in ipairs({ "[]", "{}", '{"a":[]}', "[[],{}]", "[null]", "[[[]]]" }) do
        check.equal(encode(demat.json.decode(text)), text)
      end
      check.equal(encode(demat.json.decode("[]", { marks = false })), "{}")
      -- Maps with integers as keys look like arrays, and are marked.
      local map = demat.msgpack.decode("\130\1\161a\2\161b")
      check.equal(encode(map, { sort_keys = true }), '{"1":"a","2":"b"}')
    end,
  },
}
