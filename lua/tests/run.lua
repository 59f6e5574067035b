-- Runs the tests: lua run.lua [folder of the tests] [name of a file ...]
--
-- DEMAT_LUA_ROUNDS sets how many random tables are tried; the default takes about a second.
local folder = arg[1] or "."
package.path = folder .. "/?.lua;" .. package.path
require("interpreted")

local files = {
  "layout", "exact", "tables", "marks", "metatables", "lengths", "nesting", "decoding", "numbers", "shapes", "formats",
  "errors", "prepared", "places", "sqlite", "luajit", "random", "differential", "collector", "leaks",
}
if arg[2] then
  files = {}
  for at = 2, #arg do
    files[#files + 1] = arg[at]
  end
end

local passed, failed, skipped = 0, 0, 0
for _, file in ipairs(files) do
  local tests = require("test_" .. file)
  for _, test in ipairs(tests) do
    local name, run = test[1], test[2]
    local ok, failure = xpcall(run, function(failure)
      if type(failure) == "table" and failure.skipped then
        return failure
      end
      return debug.traceback(tostring(failure), 2)
    end)
    if ok then
      passed = passed + 1
    elseif type(failure) == "table" then
      skipped = skipped + 1
      print("SKIPPED: " .. file .. ": " .. name .. ": " .. failure.skipped)
    else
      failed = failed + 1
      print("FAILED: " .. file .. ": " .. name .. "\n" .. failure)
    end
  end
end

local flavour = jit and jit.version or _VERSION
print(("%s: %d tests passed, %d failed, %d skipped; tables are read by the layout of %s"):format(
  flavour, passed, failed, skipped, (require("demat").layout())
))
os.exit(failed == 0 and passed > 0 and 0 or 1)
