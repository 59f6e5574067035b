-- Numbers at the ends of their ranges.
local demat = require("demat")
local check = require("check")

return {
  {
    "integers are integers where Lua has them",
    function()
      local value = demat.json.decode("[1,1.0,1e2,-0,9223372036854775807,-9223372036854775808,9223372036854775808]")
      if check.integers then
        check.equal(math.type(value[1]), "integer")
        check.equal(math.type(value[2]), "float")
        check.equal(math.type(value[3]), "float")
        check.equal(value[5], math.maxinteger)
        check.equal(value[6], math.mininteger)
        -- As Lua reads this numeral itself.
        check.equal(value[7], 2 ^ 63)
        check.equal(math.type(value[7]), "float")
      else
        check.equal(value[5], 2 ^ 63)
        check.equal(value[6], -2 ^ 63)
      end
    end,
  },
  {
    "with a shape, integers are exact, or refused",
    function()
      local text = "[9007199254740993,-9007199254740993]"
      if check.integers then
        check.equal(demat.json.decode(text, "[int]")[1], 9007199254740993)
        check.raises("18446744073709551615", demat.json.decode, "[18446744073709551615]", "[uint64]")
      elseif jit then
        local value = demat.json.decode(text, "[int]")
        check.equal(tostring(value[1]), "9007199254740993LL")
        check.equal(tostring(value[2]), "-9007199254740993LL")
        check.equal(tostring(demat.json.decode("[18446744073709551615]", "[uint64]")[1]), "18446744073709551615ULL")
        check.equal(type(demat.json.decode("[9007199254740992]", "[int]")[1]), "number")
      else
        check.raises("9007199254740993", demat.json.decode, text, "[int]")
      end
      check.equal(demat.json.decode("[9007199254740992]", "[int]")[1], 9007199254740992)
    end,
  },
  {
    "integers of LuaJIT's FFI are encoded",
    function()
      if not jit then
        check.skip("only LuaJIT has them")
      end
      local ffi = require("ffi")
      -- The other flavours can't compile such numerals.
      local value = loadstring('return { -9007199254740993LL, 18446744073709551615ULL, 5LL }')()
      check.equal(check.encode(value), "[-9007199254740993,18446744073709551615,5]")
      check.equal(check.encode(value[1]), "-9007199254740993")
      check.refused({ ffi.new("int[2]") }, "a cdata can't be encoded")
      local round = demat.json.decode(check.encode(value, { shape = "[any]" }), "[any]")
      check.equal(tostring(round[2]), "18446744073709551615ULL")
    end,
  },
  {
    "floats come back as they were",
    function()
      local random = check.generator(7)
      for _ = 1, check.rounds do
        local float = (random(0, 2 ^ 30) + random(0, 2 ^ 22) / 2 ^ 22) * 2 ^ random(-60, 60) * (random(0, 1) * 2 - 1)
        check.equal(demat.json.decode(check.encode({ float }))[1], float)
      end
    end,
  },
}
