-- Decoding of JSON.
local demat = require("demat")
local check = require("check")
local decode = demat.json.decode

return {
  {
    "values",
    function()
      check.equal(decode("null"), demat.null)
      check.equal(decode("true"), true)
      check.equal(decode(" 1.5 "), 1.5)
      check.equal(decode('"a\\u00e9\\ud834\\udd1e\\n"'), "aé𝄞\n")
      local value = decode('{"a":[1,2,{"b":null}],"c":"","d":false}')
      assert(check.same(value, { a = { 1, 2, { b = demat.null } }, c = "", d = false }))
    end,
  },
  {
    "nulls may be left out",
    function()
      local value = decode('{"a":null,"b":[1,null,3]}', nil, { nulls = "omit" })
      check.equal(value.a, nil)
      check.equal(value.b[2], nil)
      check.equal(value.b[3], 3)
    end,
  },
  {
    "options may stand in the place of the shape",
    function()
      check.equal(decode('{"a":null}', { nulls = "omit" }).a, nil)
      check.equal(decode('{"a":1}', { shape = "a: float" }).a, 1.0)
    end,
  },
  {
    "the last value of a repeated key wins, unless it is refused",
    function()
      check.equal(decode('{"a":1,"b":2,"a":3}').a, 3)
      check.equal(decode('[{"a":1,"a":{"x":1}}]')[1].a.x, 1)
      check.raises("`a`", decode, '{"a":1,"a":3}', nil, { repeated_keys = "refuse" })
    end,
  },
  {
    "what is no JSON is refused, with line and column",
    function()
      local failure = check.raises("expected a value", decode, '{"a": [1,\n  2,\n  oops]}')
      check.equal(failure.line, 3)
      check.equal(failure.column, 3)
      check.equal(failure.path, "$.a[2]")
      for _, text in ipairs({
        "", " ", "[", "[1", "[1,]", "{", '{"a"', '{"a":}', "tru", "nul", "01", "1.", "-", "+1", '"', '"\\x"',
        '"\\ud800"', "[1]2", "{1:2}", "'a'", "NaN", "Infinity", "1e999", "\"\1\"", '"\255"', "[1 2]", "/**/1" }) do
        local ok, result = pcall(decode, text)
        assert(not ok, text)
        assert(demat.is_error(result), text)
      end
    end,
  },
  {
    "each cut of a document is refused",
    function()
      local text = '{"a":[1.5,true,null,"x\\n",{"b":[]}],"c":"é"}'
      for length = 0, #text - 1 do
        assert(not pcall(decode, text:sub(1, length)), length)
      end
      assert(check.same(decode(check.encode(decode(text))), decode(text)))
    end,
  },
  {
    "only strings are decoded",
    function()
      check.raises("must be a string", decode, 1)
      check.raises("must be a string", decode, nil)
      check.raises("must be a string", decode)
    end,
  },
}
