-- All formats of the registry.
local demat = require("demat")
local check = require("check")

local value = {
  name = "Demat",
  count = 3,
  ratio = 0.5,
  tags = { "a", "b" },
  inner = { x = 1, y = true },
}
local shape = "name: text, count: int, ratio: float, tags: [text], inner: {x: int, y: bool}"
local rows = { { id = 1, title = "one", done = true }, { id = 2, title = "two", done = false } }
local row = "id: int, title: text, done: bool"

-- What holds rows (of XML a list is one, too), and what holds something special.
local tables = { csv = true, tsv = true, arrow = true, parquet = true, xml = true }
local special = { mca = "chunks of a world" }

return {
  {
    "each format of the command is a module here",
    function()
      local command = os.getenv("DEMAT")
      if not command then
        check.skip("DEMAT does not name the command")
      end
      local pipe = assert(io.popen(command .. " formats --to json"))
      local listed = demat.json.decode(pipe:read("*a"))
      pipe:close()
      local names = {}
      for _, format in ipairs(listed) do
        names[format.name] = true
      end
      for _, name in ipairs(demat.formats()) do
        assert(names[name], name)
        check.equal(demat[name].name, name)
        names[name] = nil
      end
      -- Tables of a database are no document.
      names.sqlite = nil
      check.equal(next(names), nil)
    end,
  },
  {
    "each keeps a record, by its shape",
    function()
      for _, name in ipairs(demat.formats()) do
        local format = demat[name]
        if special[name] then
          check.raises("", format.encode, 1)
        elseif tables[name] then
          local text = check.encode(rows, { shape = row }, name)
          assert(check.same(format.decode(text, row), rows), name)
        else
          local text = check.encode(value, { shape = shape }, name)
          local back = format.decode(text, shape)
          if #back == 1 then
            -- A document of lines is a list of records.
            back = back[1]
          end
          assert(check.same(back, value), name .. ": " .. demat.json.encode(back))
        end
      end
    end,
  },
  {
    "each that describes itself keeps values without a shape",
    function()
      for _, name in ipairs({ "json", "msgpack", "cbor", "yaml", "toml", "plist" }) do
        local text = check.encode(value, nil, name)
        local back = demat[name].decode(text)
        assert(check.same(back, value), name .. ": " .. demat.json.encode(back))
      end
    end,
  },
  {
    "tables are inferred",
    function()
      local text = check.encode(rows, nil, "csv")
      check.equal(#demat.csv.decode(text), 2)
      check.equal(demat.csv.decode(text)[2].title, "two")
      check.equal(demat.csv.decode(text, "id: int, title: text, done: bool")[2].done, false)
    end,
  },
  {
    "options are those of the format",
    function()
      local options = { delimiter = ";", shape = "a: int, b: int" }
      check.equal(check.encode({ { a = 1, b = 2 } }, options, "csv"), "a;b\n1;2\n")
      check.equal(demat.csv.decode("a;b\n1;2\n", { delimiter = ";" })[1].b, "2")
      check.raises("has no option `nonsense`", demat.json.encode, 1, { nonsense = 1 })
      check.raises("has no option `nonsense`", demat.json.decode, "1", { nonsense = 1 })
      check.raises("`indent` must be", demat.json.encode, 1, { indent = "x" })
      check.raises("`sort_keys` must be", demat.json.encode, 1, { sort_keys = 1 })
      check.equal(check.encode({ 1 }, { indent = false }), "[1]")
      check.raises("options must be a table", demat.json.encode, 1, 5)
      check.raises("`sparse` must be", demat.json.encode, 1, { sparse = "x" })
    end,
  },
  {
    "a format that has to know the shape says so",
    function()
      check.refused({ a = 1 }, "shape", nil, "proto")
      check.refused({ a = 1 }, "shape", nil, "raw")
      check.raises("shape", demat.proto.decode, "")
    end,
  },
  {
    "JSON by its engine is JSON by its sink",
    function()
      local keys, floats = { [1.5] = 1, [true] = 2 }, { -0.0, 1e300, 5e-324 }
      for _, one in ipairs({ value, rows, { 1, { 2 }, { a = {} } }, keys, floats }) do
        check.equal(check.encode(one), check.encode(one, { shape = "any" }))
      end
    end,
  },
}
