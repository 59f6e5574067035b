-- Rows of Lua tables into a new file of SQLite: million rows a minute of processor time, and of the clock.
--
--   rows.lua ROWS FOLDER
--
-- Rows are distinct: each has its number, and a title with it. Tables are made once and filled anew for each batch, so
-- that the time is not that of making tables; the last figure has that, too.
local demat = require("demat")
local rows, folder = tonumber(arg[1]) or 1000000, arg[2] or "/tmp"
local path = folder .. "/demat-rows.db"
local batch = 1000

local function clock()
  local date = io.popen("date +%s.%N")
  local time = tonumber(date:read("*l"))
  date:close()
  return time
end

local function measure(name, fill)
  local at = 0
  local wall, cpu = clock(), os.clock()
  local count = demat.sqlite.build(path, {
    table = "tasks",
    shape = "id: int #sql:key, title: text, done: int",
    durable = false,
    replace = true,
    rows = function()
      if at == rows then
        return nil
      end
      local list = fill(at)
      at = at + batch
      return list
    end,
  })
  cpu, wall = os.clock() - cpu, clock() - wall
  assert(count == rows)
  print(("%-44s %7.0f of the processor %7.0f by the clock"):format(name, rows * 60 / cpu / 1e6, rows * 60 / wall / 1e6))
end

local titles = { "Clean Room", "Check Twitter" }
print((jit and jit.version or _VERSION) .. ", million rows a minute, " .. rows .. " rows")
local lists, records = {}, {}
for i = 1, batch do
  lists[i] = { 0, "", 0 }
  records[i] = { id = 0, title = "", done = 0 }
end
measure("rows as lists, distinct by their numbers", function(at)
  for i = 1, batch do
    local row = lists[i]
    row[1], row[2], row[3] = at + i, titles[i % 2 + 1], i % 2
  end
  return lists
end)
measure("rows by names, distinct by their numbers", function(at)
  for i = 1, batch do
    local row = records[i]
    row.id, row.title, row.done = at + i, titles[i % 2 + 1], i % 2
  end
  return records
end)
measure("rows by names, new tables", function(at)
  local list = {}
  for i = 1, batch do
    list[i] = { id = at + i, title = titles[i % 2 + 1], done = i % 2 }
  end
  return list
end)
measure("rows by names, titles distinct, too", function(at)
  for i = 1, batch do
    local row = records[i]
    row.id, row.title, row.done = at + i, "Task " .. at + i, i % 2
  end
  return records
end)
local db = demat.sqlite.open(path)
assert(db:query("SELECT count(DISTINCT title) AS n FROM tasks")().n == rows)
db:close()
os.remove(path)
