-- Metatables and handlers.
local demat = require("demat")
local check = require("check")
local encode = check.encode

return {
  {
    "__jsontype",
    function()
      check.equal(encode(setmetatable({}, { __jsontype = "array" })), "[]")
      check.equal(encode(setmetatable({ 1 }, { __jsontype = "object" })), '{"1":1}')
      check.equal(encode(setmetatable({ 1 }, { __jsontype = "other" })), "[1]")
      check.equal(encode(setmetatable({ 1 }, { __jsontype = 5, __index = {} })), "[1]")
    end,
  },
  {
    "__demat replaces the value",
    function()
      local date = setmetatable({ 2026, 2, 3 }, {
        __demat = function(own)
          return ("%04d-%02d-%02d"):format(own[1], own[2], own[3])
        end,
      })
      check.equal(encode({ at = date }), '{"at":"2026-02-03"}')
      check.equal(encode(date), '"2026-02-03"')
      check.equal(encode({ at = setmetatable({}, { __demat = function() end }) }), '{"at":null}')
      local nested = setmetatable({}, {
        __demat = function()
          return { date, { date } }
        end,
      })
      check.equal(encode({ nested, 1 }), '[["2026-02-03",["2026-02-03"]],1]')
    end,
  },
  {
    "a replacement that never ends is an error",
    function()
      local metatable = {}
      metatable.__demat = function()
        return setmetatable({}, metatable)
      end
      check.refused(setmetatable({}, metatable), "depth of nesting")
      local self = setmetatable({}, { __demat = function(own) return own end })
      check.refused({ self }, "contains itself")
    end,
  },
  {
    "__pairs is what a table has",
    function()
      local proxy = setmetatable({ hidden = 1 }, {
        __pairs = function()
          return next, { "a", "b", "c" }, nil
        end,
      })
      check.equal(encode(proxy), '["a","b","c"]')
      local ordered = setmetatable({}, {
        __pairs = function()
          local at, keys = 0, { "z", "a", "m" }
          return function()
            at = at + 1
            if keys[at] then
              return keys[at], at
            end
          end
        end,
      })
      check.equal(encode({ ordered }), '[{"z":1,"a":2,"m":3}]')
      local marked = setmetatable({}, { __jsontype = "object", __pairs = function() return next, { 1 } end })
      check.equal(encode(marked), '{"1":1}')
      check.equal(encode(setmetatable({ 1 }, { __pairs = function() return next, {} end })), "{}")
    end,
  },
  {
    "errors of metamethods pass, and leave the module usable",
    function()
      local bad = setmetatable({}, { __demat = function() error("mine", 0) end })
      local own = {}
      local worse = setmetatable({}, { __pairs = function() error(own) end })
      for _ = 1, 100 do
        check.equal(select(2, pcall(demat.json.encode, { bad })), "mine")
        check.equal(select(2, pcall(demat.json.encode, { a = worse })), own)
        check.equal(demat.json.encode({ 1 }), "[1]")
      end
    end,
  },
  {
    "a metamethod may encode and decode itself",
    function()
      local inner = setmetatable({}, {
        __demat = function()
          return demat.json.encode({ 1, { 2 } }) .. demat.json.decode('["x"]')[1]
        end,
      })
      check.equal(encode({ "a", inner, inner, "b" }), '["a","[1,[2]]x","[1,[2]]x","b"]')
    end,
  },
  {
    "functions, threads and userdata are refused, with the path",
    function()
      check.refused({ a = { 1, print } }, "a function can't be encoded")
      check.equal(check.refused({ a = { 1, print } }, "function").path, "$.a[1]")
      check.refused({ coroutine.create(function() end) }, "a thread can't be encoded")
      check.refused({ io.stdout }, "a userdata can't be encoded")
      check.refused(print, "a function can't be encoded")
    end,
  },
  {
    "a handler replaces them",
    function()
      local options = { handler = function(value) return type(value) end }
      local others = { print, coroutine.create(function() end), io.stdout, 1 }
      check.equal(encode(others, options), '["function","thread","userdata",1]')
      check.equal(encode(print, options), '"function"')
      check.equal(encode({ print }, { handler = function() return { 1, {} } end }), "[[1,{}]]")
      check.equal(encode({ print }, { handler = function() end }), "[null]")
      check.refused({ print }, "depth of nesting", { handler = function(value) return value end })
      check.raises("mine", demat.json.encode, { print }, { handler = function() error("mine") end })
      check.raises("`handler` must be a function", demat.json.encode, {}, { handler = 1 })
    end,
  },
  {
    "a metamethod may change the table under the encoder",
    function()
      local victim = {}
      local vandal = setmetatable({}, {
        __demat = function()
          for i = 1, 200 do
            victim["k" .. i] = nil
            victim[i] = { i }
          end
          collectgarbage()
          return "gone"
        end,
      })
      for round = 1, 50 do
        for key in pairs(victim) do
          victim[key] = nil
        end
        for i = 1, round * 4 do
          victim["k" .. i] = i % 7 == 0 and vandal or { i }
        end
        -- It may fail or not, but it comes back, and what it gives is valid.
        local ok, result = pcall(demat.json.encode, victim)
        if ok then
          demat.json.decode(result)
        end
        check.equal(demat.json.encode({ 1 }), "[1]")
      end
    end,
  },
}
