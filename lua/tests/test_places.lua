-- Copies and reads of places.
local demat = require("demat")
local check = require("check")

local function file(name, text)
  local path = os.tmpname() .. name
  if text then
    local out = assert(io.open(path, "wb"))
    out:write(text)
    out:close()
  end
  return path
end

local function content(path)
  local own = assert(io.open(path, "rb"))
  local text = own:read("*a")
  own:close()
  return text
end

return {
  {
    "a copy between formats",
    function()
      local from, to = file(".csv", "id,title\n1,one\n2,two\n"), file(".json")
      local done = demat.copy(from, to, { shape = "id: int, title: text" })
      check.equal(done.records, 2)
      check.equal(done.rejected, 0)
      check.equal(done.written, true)
      check.equal(content(to), '[{"id":1,"title":"one"},{"id":2,"title":"two"}]\n')
      os.remove(from)
      os.remove(to)
    end,
  },
  {
    "with options of both sides",
    function()
      local from, to = file(".x", "id;title\n1;one\nx;two\n"), file(".y")
      local options = {
        from = "csv", to = "json", shape = "id: int, title: text", on_error = "skip", fields = "title",
        read = { delimiter = ";" }, write = { indent = 1 },
      }
      local done = demat.copy(from, to, options)
      check.equal(done.records, 2)
      options.fields = nil
      done = demat.copy(from, to, options)
      check.equal(done.records, 1)
      check.equal(done.rejected, 1)
      check.equal(content(to), '[\n {\n  "id": 1,\n  "title": "one"\n }\n]\n')
      options.on_error = nil
      check.raises("int", demat.copy, from, to, options)
      check.raises("no option `nonsense`", demat.copy, from, to, { from = "csv", to = "json", nonsense = 1 })
      check.raises("can't be told by its name", demat.copy, from, to)
      os.remove(from)
      os.remove(to)
    end,
  },
  {
    "the records of a place, one after the other",
    function()
      local lines = {}
      for i = 1, 5000 do
        lines[i] = '{"id":' .. i .. ',"tags":["t' .. i .. '",{"x":[]}]}'
      end
      local path = file(".ndjson", table.concat(lines, "\n"))
      local count = 0
      for record in demat.read(path) do
        count = count + 1
        check.equal(record.id, count)
        check.equal(record.tags[1], "t" .. count)
        if count % 1000 == 0 then
          collectgarbage()
        end
      end
      check.equal(count, 5000)
      count = 0
      for record in demat.read(path, "id: float") do
        count = count + record.id
      end
      check.equal(count, 5000 * 5001 / 2)
      -- A reader that is left alone ends when it is collected.
      for _ = 1, 20 do
        check.equal(demat.read(path)().id, 1)
      end
      collectgarbage()
      os.remove(path)
    end,
  },
  {
    "one document is one record, a list of scalars many",
    function()
      local path = file(".json", '{"a":[1,2]}')
      local all = {}
      for record in demat.read(path) do
        all[#all + 1] = demat.json.encode(record)
      end
      check.equal(table.concat(all, " "), '{"a":[1,2]}')
      os.remove(path)
      path = file(".json", '[1,"x",[2]]')
      all = {}
      for record in demat.read(path) do
        all[#all + 1] = demat.json.encode(record)
      end
      check.equal(table.concat(all, " "), '1 "x" [2]')
      os.remove(path)
    end,
  },
  {
    "errors come with the place, after what was good",
    function()
      local path = file(".ndjson", '{"a":1}\n{"a":2}\n{"a":x}\n')
      local next_record = demat.read(path)
      check.equal(next_record().a, 1)
      check.equal(next_record().a, 2)
      local ok, failure = pcall(next_record)
      assert(not ok)
      check.equal(failure.line, 3)
      assert(failure.place:find("ndjson", 1, true))
      check.raises("No such file", function() demat.read("/nowhere/at/all.json")() end)
      os.remove(path)
    end,
  },
  {
    "all records before a refused one come, in each format that is read by the record",
    function()
      local cases = {
        { ".ndjson", "", '{"a":%d,"b":[1]}\n', "", '{"a":"x","b":[1]}\n' },
        { ".json", "[", '{"a":%d,"b":[1]},', "", '{"a":1,"b":["x"]}]' },
        { ".csv", "a,b\n", "%d,x\n", "", "x,y\n", "a: int, b: text" },
      }
      for _, case in ipairs(cases) do
        for _, count in ipairs({ 0, 1, 2, 1500, 5000 }) do
          local parts = { case[2] }
          for id = 1, count do
            parts[#parts + 1] = case[3]:format(id)
          end
          parts[#parts + 1] = case[5]
          local path = file(case[1], table.concat(parts))
          local read = 0
          local ok, failure = pcall(function()
            for record in demat.read(path, case[6] or "a: int, b: [int]") do
              read = read + 1
              check.equal(record.a, read)
            end
          end)
          assert(not ok)
          check.equal(read, count)
          check.equal(failure.record, count + 1)
          os.remove(path)
        end
      end
    end,
  },
}
