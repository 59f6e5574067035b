-- Functions with options of their own.
local demat = require("demat")
local check = require("check")

return {
  {
    "an encoder and a decoder",
    function()
      local encode = demat.encoder({ format = "json", sort_keys = true, shape = "b: float, a: int" })
      check.equal(encode({ a = 1, b = 2 }), '{"a":1,"b":2.0}')
      check.raises("int", encode, { a = "x", b = 1 })
      check.equal(encode({ a = 1, b = 2 }), '{"a":1,"b":2.0}')
      local decode = demat.decoder({ format = "json", shape = "a: int" })
      check.equal(decode('{"a":5}').a, 5)
      check.equal(demat.decoder({ format = "msgpack" })(demat.encoder({ format = "msgpack" })({ 1 }))[1], 1)
    end,
  },
  {
    "with a handler, which lives as long as it",
    function()
      local encode = demat.encoder({ format = "json", handler = function(value) return type(value) end })
      collectgarbage()
      check.equal(encode({ print }), '["function"]')
    end,
  },
  {
    "they are collected",
    function()
      for _ = 1, 2000 do
        demat.encoder({ format = "json", shape = "a: int" })({ a = 1 })
      end
      collectgarbage()
      collectgarbage()
    end,
  },
  {
    "wrong options are refused",
    function()
      check.raises("no format", demat.encoder, { format = "nonsense" })
      check.raises("`format` must be a string", demat.encoder, {})
      check.raises("must be a table", demat.encoder)
      check.raises("has no option", demat.decoder, { format = "json", x = 1 })
    end,
  },
}
