-- Calls that fail must not cost memory.
local demat = require("demat")
local check = require("check")

local function resident()
  local file = io.open("/proc/self/statm")
  if not file then
    check.skip("there is no /proc/self/statm")
  end
  local pages = tonumber(file:read("*a"):match("^%d+ (%d+)"))
  file:close()
  return pages * 4096
end

local failing = {
  function() demat.json.decode('{"a":[1,2,{"b":"x\\n' .. ("y"):rep(50) .. '"},oops') end,
  function() demat.json.encode({ a = { 1, { b = print } } }) end,
  function() demat.json.encode({ "\255" }) end,
  function() demat.json.encode({ 1 / 0 }) end,
  function() demat.json.encode({ a = 1 }, { shape = "a: text, b: int" }) end,
  function() demat.json.decode('[{"a":1},{"a":"x"}]', "a: int") end,
  function() demat.json.encode({ 1 }, { nonsense = true }) end,
  function() demat.msgpack.decode("\147\1") end,
  function() demat.yaml.decode("a: [") end,
  function() demat.json.encode(setmetatable({}, { __demat = function() error("x") end })) end,
  function() demat.encoder({ format = "json", shape = "a: int" })({ a = "x" }) end,
}

return {
  {
    "the resident memory stays as it is",
    function()
      -- A million calls with DEMAT_LUA_ROUNDS=1000000.
      local rounds = check.rounds
      for warm = 1, 3000 do
        assert(not pcall(failing[warm % #failing + 1]))
      end
      collectgarbage()
      collectgarbage()
      local before = resident()
      for i = 1, rounds do
        assert(not pcall(failing[i % #failing + 1]))
      end
      collectgarbage()
      collectgarbage()
      local grown = resident() - before
      assert(grown < 4 * 1024 * 1024, "grew by " .. grown .. " bytes")
    end,
  },
  {
    "large buffers are given back",
    function()
      demat.configure({ keep = 65536 })
      for _ = 1, 5 do
        demat.json.encode({ ("x"):rep(20000000) })
      end
      collectgarbage()
      collectgarbage()
      local before = resident()
      demat.json.encode({ ("x"):rep(20000000) })
      collectgarbage()
      collectgarbage()
      demat.configure({ keep = 4194304 })
      assert(resident() - before < 30000000)
    end,
  },
}
