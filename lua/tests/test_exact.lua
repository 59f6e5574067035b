-- Exact outputs of JSON.
local demat = require("demat")
local check = require("check")
local encode = check.encode

return {
  {
    "scalars",
    function()
      check.equal(encode(nil), "null")
      check.equal(encode(demat.null), "null")
      check.equal(encode(true), "true")
      check.equal(encode(false), "false")
      check.equal(encode(0), "0")
      check.equal(encode(-7), "-7")
      check.equal(encode("text"), '"text"')
    end,
  },
  {
    "floats are shortest and exact",
    function()
      check.equal(encode({ 0.1 }), "[0.1]")
      check.equal(encode({ 0.1 + 0.2 }), "[0.30000000000000004]")
      check.equal(encode({ 1e300 }), "[1e+300]")
      check.equal(encode({ 5e-324 }), "[5e-324]")
      check.equal(encode({ 1.5 }), "[1.5]")
      check.equal(encode({ -0.0 }), "[-0.0]")
      local numbers = { 1e15, 1e16, 1e17, 1e22, 123456789012345680000, 1.7976931348623157e308, 2 ^ 53, 2 ^ 63 }
      for _, number in ipairs(numbers) do
        check.equal(demat.json.decode(encode({ number }))[1], number)
      end
    end,
  },
  {
    "1e10 is not 1",
    function()
      check.equal(encode({ 1e10 }), check.integers and "[10000000000.0]" or "[10000000000]")
      check.equal(demat.json.decode(encode({ 1e10 }))[1], 1e10)
    end,
  },
  {
    "integers and floats are kept apart where Lua keeps them apart",
    function()
      if check.integers then
        check.equal(encode({ 1, 1.0 }), "[1,1.0]")
        check.equal(encode({ math.maxinteger, math.mininteger }), "[9223372036854775807,-9223372036854775808]")
      else
        check.equal(encode({ 1, 1.0 }), "[1,1]")
        check.equal(encode({ 9007199254740992, -9007199254740992 }), "[9007199254740992,-9007199254740992]")
      end
    end,
  },
  {
    "infinity and NaN are refused, or null",
    function()
      for _, number in ipairs({ 1 / 0, -1 / 0, 0 / 0 }) do
        check.refused({ { number } }, "$[0][0]")
        check.refused(number, "JSON")
        check.equal(encode({ number, 1 }, { nonfinite = "null" }), "[null,1]")
        check.equal(encode({ a = number }, { nonfinite = "null" }), '{"a":null}')
      end
    end,
  },
  {
    "escapes are full",
    function()
      check.equal(encode({ '"\\/\b\f\n\r\t' }), [==[["\"\\/\b\f\n\r\t"]]==])
      check.equal(encode({ "\0\1\31\127" }), '["\\u0000\\u0001\\u001f\127"]')
      for byte = 0, 31 do
        local text = encode({ string.char(byte) })
        assert(not text:find("%c"), byte)
        check.equal(demat.json.decode(text)[1], string.char(byte))
      end
      check.equal(encode({ ["a\nb"] = "c\0d" }), '{"a\\nb":"c\\u0000d"}')
    end,
  },
  {
    "text beyond ASCII is kept",
    function()
      for _, text in ipairs({ "\194\128", "é", "€", "𝄞", "\239\191\191", "\244\143\191\191", "añb€c𝄞d" }) do
        check.equal(encode({ text }), '["' .. text .. '"]')
        check.equal(encode({ text }, { ascii = true }):find("[\128-\255]"), nil)
        check.equal(demat.json.decode(encode({ text }, { ascii = true }))[1], text)
      end
    end,
  },
  {
    "bytes that are no UTF-8 are refused, with the path",
    function()
      local broken = { "\128", "\255", "\192\128", "\237\160\128", "\244\144\128\128", "a\226\130", "\226\40\161" }
      for _, bytes in ipairs(broken) do
        check.refused({ a = { 1, bytes } }, "not UTF-8")
        check.equal(check.refused({ a = { 1, bytes } }, "UTF-8").path, "$.a[1]")
        check.refused({ [bytes] = 1 }, "not UTF-8")
        check.refused({ (" "):rep(100) .. bytes }, "not UTF-8")
      end
    end,
  },
  {
    "a slash is escaped on request",
    function()
      local value = { "</script>", ["a/b"] = nil, "\\/" }
      check.equal(encode(value), [==[["</script>","\\/"]]==])
      check.equal(encode(value, { escape_slash = true }), [==[["<\/script>","\\\/"]]==])
      check.equal(demat.json.decode(encode(value, { escape_slash = true }))[2], "\\/")
    end,
  },
  {
    "keys are sorted on request, and lines indented",
    function()
      local value = { b = 1, a = { d = 1, c = 2 }, ["é"] = 0, A = 3 }
      check.equal(encode(value, { sort_keys = true }), '{"A":3,"a":{"c":2,"d":1},"b":1,"é":0}')
      check.equal(encode({ 1, { x = 2 } }, { indent = 2 }), '[\n  1,\n  {\n    "x": 2\n  }\n]')
    end,
  },
}
