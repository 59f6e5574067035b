-- The collector at work between and within calls.
local demat = require("demat")
local check = require("check")

return {
  {
    "steps between calls",
    function()
      for i = 1, check.rounds do
        local t = { i, tostring(i), { x = { i } }, "s" .. i }
        collectgarbage("step")
        local text = demat.json.encode(t)
        collectgarbage("step")
        local back = demat.json.decode(text)
        collectgarbage("step")
        check.equal(back[4], "s" .. i)
      end
    end,
  },
  {
    "a full collection at each allocation that can be had",
    function()
      local pause, multiplier = collectgarbage("setpause", 1), collectgarbage("setstepmul", 10000)
      for i = 1, 300 do
        local t = {}
        for j = 1, 20 do
          t["key" .. i .. "/" .. j] = { "value" .. j, j, { deep = "d" .. j } }
        end
        local back = demat.msgpack.decode(demat.msgpack.encode(demat.json.decode(demat.json.encode(t))))
        assert(check.same(back, t))
      end
      collectgarbage("setpause", pause)
      collectgarbage("setstepmul", multiplier)
    end,
  },
  {
    "finalizers that encode and decode",
    function()
      local calls = 0
      local function finalizer()
        calls = calls + 1
        local value = demat.json.decode('[1,{"a":"' .. ("x"):rep(calls % 100) .. '"}]')
        check.equal(demat.json.encode(value):sub(1, 3), "[1,")
      end
      local function garbage()
        if newproxy then
          getmetatable(newproxy(true)).__gc = finalizer
        else
          setmetatable({}, { __gc = finalizer })
        end
      end
      for i = 1, 500 do
        garbage()
        local t = {}
        for j = 1, 50 do
          t[j] = "text " .. i .. " " .. j
        end
        local back = demat.json.decode(demat.json.encode(t))
        assert(check.same(back, t))
        collectgarbage("step")
      end
      collectgarbage()
      assert(calls > 0)
    end,
  },
  {
    "in coroutines that come and go",
    function()
      for i = 1, 500 do
        local text = coroutine.wrap(function()
          coroutine.yield(demat.json.encode({ i, { i } }))
        end)()
        check.equal(text, "[" .. i .. ",[" .. i .. "]]")
      end
    end,
  },
}
