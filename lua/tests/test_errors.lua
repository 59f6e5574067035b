-- Errors are tables, and print well.
local demat = require("demat")
local check = require("check")

return {
  {
    "an error has its parts",
    function()
      local ok, failure = pcall(demat.json.decode, '{"a":\n [1, x]}')
      assert(not ok)
      assert(demat.is_error(failure))
      check.equal(failure.path, "$.a[1]")
      check.equal(failure.line, 2)
      check.equal(failure.column, 6)
      check.equal(failure.kind, "syntax")
      check.equal(failure.reason, "expected a value, found `x`")
      check.equal(tostring(failure), "expected a value, found `x` at `$.a[1]` (line 2, column 6)")
      check.equal(failure.message, tostring(failure))
    end,
  },
  {
    "and so have those of encoding",
    function()
      local failure = check.refused({ a = { b = { 1, print } } }, "function")
      check.equal(failure.path, "$.a.b[1]")
      check.equal(failure.kind, "encode")
      check.equal(failure.line, nil)
      check.equal(demat.is_error({}), false)
      check.equal(demat.is_error("x"), false)
    end,
  },
  {
    "keys of paths that are no words are quoted",
    function()
      check.equal(check.refused({ ["a b"] = print }, "function").path, '$["a b"]')
      check.equal(check.refused({ [7] = print }, "function").path, '$["7"]')
    end,
  },
}
