-- Strings of all lengths, with what must be escaped at all places.
local demat = require("demat")
local check = require("check")

local function try(text)
  local array = check.encode({ text })
  check.equal(array, '["' .. text .. '"]')
  check.equal(check.encode({ [text] = 1 }), '{"' .. text .. '":1}')
  check.equal(demat.json.decode(array)[1], text)
end

return {
  {
    "lengths from 0 to 1,110, from 9,999 to 10,099, and around a million",
    function()
      local long = ("abcdefghij"):rep(100200)
      for length = 0, 1110 do
        try(long:sub(1, length))
      end
      for length = 9999, 10099 do
        try(long:sub(1, length))
      end
      for length = 999990, 1000010 do
        try(long:sub(1, length))
      end
    end,
  },
  {
    "an escape at each place",
    function()
      for length = 1, 100 do
        for at = 1, length do
          local text = ("x"):rep(at - 1) .. '"' .. ("y"):rep(length - at)
          local array = check.encode({ text })
          check.equal(array, '["' .. ("x"):rep(at - 1) .. '\\"' .. ("y"):rep(length - at) .. '"]')
          check.equal(demat.json.decode(array)[1], text)
        end
      end
    end,
  },
  {
    "characters of several bytes, and broken ones, at each place",
    function()
      for length = 0, 70 do
        local text = ("x"):rep(length) .. "é" .. ("y"):rep(length % 5)
        check.equal(check.encode({ text }), '["' .. text .. '"]')
        check.refused({ ("x"):rep(length) .. "\195" .. ("y"):rep(length % 5) }, "UTF-8")
      end
    end,
  },
}
