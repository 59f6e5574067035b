-- Values by a shape.
local demat = require("demat")
local check = require("check")

return {
  {
    "a shape says what a table is",
    function()
      check.equal(check.encode({}, { shape = "[int]" }), "[]")
      check.equal(check.encode({}, { shape = "map(text, int)" }), "{}")
      local options = { shape = "a: [int], b: map(text, int)", sort_keys = true }
      check.equal(check.encode({ a = {}, b = {} }, options), '{"a":[],"b":{}}')
      check.equal(check.encode({ 10, 20 }, { shape = "map(int, int)" }), '{"1":10,"2":20}')
      check.equal(check.encode({ { 10 }, { 20 } }, { shape = "map(int, [int])" }), '{"1":[10],"2":[20]}')
      check.equal(check.encode({ 1, 2 }, { shape = "(int, float)" }), "[1,2.0]")
    end,
  },
  {
    "and what a number is",
    function()
      check.equal(check.encode({ 1, 2.0 }, { shape = "[float]" }), "[1.0,2.0]")
      check.equal(check.encode({ 1, 2.0 }, { shape = "[int]" }), "[1,2]")
      check.equal(check.refused({ 1, 2.5 }, "int", { shape = "[int]" }).path, "$[1]")
      check.refused({ 300 }, "300", { shape = "[uint8]" })
    end,
  },
  {
    "fields may be missing only if the shape says so",
    function()
      check.refused({ a = 1 }, "`b`", { shape = "a: int, b: int" })
      check.equal(check.encode({ a = 1 }, { shape = "a: int, b: int = 5", sort_keys = true }), '{"a":1,"b":5}')
      check.equal(check.encode({ a = 1, c = 2 }, { shape = "a: int" }), '{"a":1}')
      check.refused({ a = 1, c = 2 }, "c", { shape = "a: int !" })
    end,
  },
  {
    "the shape of a record is also that of a list of them",
    function()
      check.equal(check.encode({ { a = 1 }, { a = 2 } }, { shape = "a: float" }), '[{"a":1.0},{"a":2.0}]')
      check.equal(demat.json.decode('[{"a":1}]', "a: float")[1].a, 1.0)
    end,
  },
  {
    "bytes, dates and others are strings",
    function()
      local shape = "at: date, raw: bytes, id: uuid, price: decimal"
      local value = { at = "2026-02-03", raw = "\0\255", id = "00000000-0000-0000-0000-000000000001", price = "1.50" }
      local text = check.encode(value, { shape = shape, sort_keys = true })
      check.equal(text, '{"at":"2026-02-03","id":"00000000-0000-0000-0000-000000000001","price":1.50,"raw":"AP8="}')
      assert(check.same(demat.json.decode(text, shape), value))
      check.refused({ at = "2026-02-30" }, "date", { shape = "at: date" })
    end,
  },
  {
    "unions and enums",
    function()
      local shape = "union[kind](circle: {r: float}, square: {a: float})"
      local value = { kind = "square", a = 2 }
      check.equal(demat.json.decode(check.encode(value, { shape = shape }), shape).kind, "square")
      check.refused({ kind = "line" }, "line", { shape = shape })
      check.equal(check.encode({ "open" }, { shape = "[enum(open, done)]" }), '["open"]')
      check.refused({ "shut" }, "shut", { shape = "[enum(open, done)]" })
      check.equal(check.encode({ 1, "a", true }, { shape = "[int | text | bool]" }), '[1,"a",true]')
    end,
  },
  {
    "decoded with a shape, arrays stay arrays",
    function()
      local value = demat.json.decode('{"tags":["a"],"none":[]}', "tags: [text], none: [int]")
      value.tags[1] = nil
      check.equal(check.encode(value.tags), "[]")
      check.equal(check.encode(value.none), "[]")
    end,
  },
  {
    "a shape that is none is refused",
    function()
      check.raises("expected", demat.json.decode, "1", "in t")
      check.raises("expected", demat.json.encode, 1, { shape = "{" })
      check.raises("must be a string", demat.json.encode, 1, { shape = 5 })
      check.equal(demat.shape("id: int,name:text?"), "id:int, name:text?")
    end,
  },
}
