-- Databases of SQLite.
local demat = require("demat")
local check = require("check")

local function collected(rows)
  local all = {}
  for row in rows do
    all[#all + 1] = row
  end
  return all
end

return {
  {
    "tables are created, filled and queried",
    function()
      local db = demat.sqlite.open(":memory:")
      db:create("tasks", "id: int #sql:key, title: text, done: bool, ratio: float?")
      local rows = { { id = 1, title = "one", done = true, ratio = 0.5 }, { id = 2, title = "two", done = false } }
      check.equal(db:insert("tasks", rows), 2)
      check.equal(db:insert("tasks", { id = 3, title = "three", done = true }), 1)
      local all = collected(db:query("SELECT * FROM tasks ORDER BY id"))
      check.equal(#all, 3)
      check.equal(all[1].title, "one")
      check.equal(all[1].ratio, 0.5)
      check.equal(all[2].ratio, nil)
      local sql = "SELECT id, done FROM tasks WHERE id >= ? ORDER BY id"
      local typed = collected(db:query(sql, { 2 }, "id: int, done: bool"))
      assert(check.same(typed, { { id = 2, done = false }, { id = 3, done = true } }))
      check.equal(db:execute("UPDATE tasks SET title = ? WHERE id = ?", "x", 1), 1)
      check.equal(db:query("SELECT title FROM tasks WHERE id = ?", { 1 })().title, "x")
      check.equal(db:delete("tasks", { { id = 1 } }), 1)
      check.equal(db:update("tasks", { { id = 3, title = "drei" } }), 1)
      check.equal(db:query("SELECT title FROM tasks WHERE id = 3")().title, "drei")
      check.equal(db:upsert("tasks", { { id = 2, title = "zwei", done = true } }), 1)
      check.equal(db:query("SELECT title FROM tasks WHERE id = 2")().title, "zwei")
      db:close()
      check.raises("closed", db.execute, db, "SELECT 1")
    end,
  },
  {
    "parameters and values of all kinds",
    function()
      local db = demat.sqlite.open(":memory:")
      local row = db:query("SELECT ? AS a, ? AS b, ? AS c, ? AS d, ? AS e", { 1, 1.5, "é", true, n = 5 })()
      check.equal(row.a, 1)
      check.equal(row.b, 1.5)
      check.equal(row.c, "é")
      check.equal(row.d, 1)
      check.equal(row.e, nil)
      check.equal(db:query("SELECT x'00ff' AS b", nil, "b: bytes")().b, "\0\255")
      check.raises("parameter", db.execute, db, "SELECT ?", {})
      check.raises("syntax", db.execute, db, "SELEKT")
      db:close()
    end,
  },
  {
    "a transaction is all or nothing",
    function()
      local db = demat.sqlite.open(":memory:")
      db:execute("CREATE TABLE t(a INTEGER)")
      local result = db:transaction(function(own, value)
        own:execute("INSERT INTO t VALUES (?)", value)
        return "done"
      end, 5)
      check.equal(result, "done")
      local ok, failure = pcall(db.transaction, db, function(own)
        own:execute("INSERT INTO t VALUES (6)")
        error("mine", 0)
      end)
      assert(not ok)
      check.equal(failure, "mine")
      check.equal(db:query("SELECT count(*) AS n FROM t")().n, 1)
      check.raises("int", db.insert, db, "t", { { a = 7 }, { a = {} } })
      check.equal(db:query("SELECT count(*) AS n FROM t")().n, 1)
      db:close()
    end,
  },
  {
    "many rows come in parts, while others are asked for",
    function()
      local db = demat.sqlite.open(":memory:")
      db:execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)")
      local rows = {}
      for i = 1, 20000 do
        rows[i] = { a = i, b = "text " .. i }
      end
      check.equal(db:insert("t", rows), 20000)
      local count = 0
      for row in db:query("SELECT a, b FROM t ORDER BY a") do
        count = count + 1
        check.equal(row.a, count)
        if count % 5000 == 0 then
          check.equal(db:query("SELECT b FROM t WHERE a = ?", { count })().b, "text " .. count)
          collectgarbage()
        end
      end
      check.equal(count, 20000)
      db:close()
    end,
  },
  {
    "a new database, built of tables",
    function()
      local path = os.tmpname()
      os.remove(path)
      local shape = "id: int #sql:key, title: text, ratio: float?"
      local at = 0
      local count = demat.sqlite.build(path, {
        table = "tasks",
        shape = shape,
        rows = function()
          if at == 10000 then
            return nil
          end
          local rows = {}
          for i = 1, 1000 do
            at = at + 1
            -- By names, or by the order of the columns.
            rows[i] = at % 2 == 0 and { id = at, title = "t" .. at, ratio = at / 2 } or { at, "t" .. at, demat.null }
          end
          return rows
        end,
      })
      check.equal(count, 10000)
      local db = demat.sqlite.open(path)
      local sum = db:query("SELECT count(*) AS n, sum(id) AS s, count(ratio) AS r, min(title) AS t FROM tasks")()
      check.equal(sum.n, 10000)
      check.equal(sum.s, 10000 * 10001 / 2)
      check.equal(sum.r, 5000)
      check.equal(db:query("PRAGMA integrity_check")().integrity_check, "ok")
      db:close()
      check.raises("there already", demat.sqlite.build, path, { table = "tasks", shape = shape, rows = {} })
      check.equal(demat.sqlite.build(path, { table = "tasks", shape = shape, rows = {}, replace = true }), 0)
      os.remove(path)
      for _, wrong in ipairs({ { { id = 1 } }, { { id = "x", title = "y" } }, { { id = 1, title = "y", z = 1 } }, { 1 },
        { { id = 1, title = {} } }, { { 1, 2 } } }) do
        assert(not pcall(demat.sqlite.build, path, { table = "tasks", shape = shape, rows = wrong }))
        assert(not io.open(path), "nothing is left of it")
      end
      local failing = function() error("mine") end
      check.raises("mine", demat.sqlite.build, path, { table = "t", shape = shape, rows = failing })
      assert(not io.open(path))
    end,
  },
  {
    "and with columns of other kinds, and without the layout",
    function()
      local path = os.tmpname()
      local rows = { { id = 1, at = "2026-02-03", done = true }, { id = 2, at = "2026-02-04", done = false } }
      for _, beneath in ipairs({ true, false }) do
        demat.configure({ beneath = beneath })
        local options = { table = "t", shape = "id: int #sql:key, at: date, done: bool", rows = rows, replace = true }
        check.equal(demat.sqlite.build(path, options), 2)
        local db = demat.sqlite.open(path)
        assert(check.same(collected(db:query("SELECT * FROM t", nil, "id: int, at: date, done: bool")), rows))
        db:close()
      end
      demat.configure({ beneath = true })
      os.remove(path)
    end,
  },
}
