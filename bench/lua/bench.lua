-- Demat beside lua-cjson and dkjson: nanoseconds of processor time an element, the engines in turn, the best of several
-- rounds. Answers are checked before anything is measured.
local demat = require("demat")
local has_cjson, cjson = pcall(require, "cjson")
local has_dkjson, dkjson = pcall(require, "dkjson")
local has_floor, floor = pcall(require, "floor")
local elements, cycles, rounds = 1000, tonumber(arg[1]) or 100, tonumber(arg[2]) or 5
local corpus = arg[3]

local seed = 42
local function random(low, high)
  seed = (seed * 16807) % 2147483647
  return low + seed % (high - low + 1)
end

-- `chance`: one of so many characters must be escaped.
local function text(chance)
  local bytes = {}
  for i = 1, random(1, 20) do
    if chance and random(1, chance) == 1 then
      bytes[i] = ({ '"', "\\", "\n", "\t", "\1", "\31" })[random(1, 6)]
    else
      bytes[i] = string.char(random(97, 122))
    end
  end
  return table.concat(bytes)
end

local grids = {}
local function grid(name, fill)
  local t = {}
  for i = 1, elements do
    fill(t, i)
  end
  local count = 0
  for _ in pairs(t) do
    count = count + 1
  end
  grids[#grids + 1] = { name = name, value = t, count = count }
end

grid("t[i] = i", function(t, i) t[i] = i end)
grid('t["x"..i] = i', function(t, i) t["x" .. i] = i end)
grid("t[i] = randstr", function(t, i) t[i] = text() end)
grid("t[randstr] = randstr", function(t) t[text()] = text() end)
for _, chance in ipairs({ 4, 16, 64, 250, 1000 }) do
  grid("t[i] = randstr, escapes 1/" .. chance, function(t, i) t[i] = text(chance) end)
end

local function same(one, two)
  if type(one) ~= "table" or type(two) ~= "table" then
    return one == two
  end
  for key, value in pairs(one) do
    if not same(value, two[key]) then
      return false
    end
  end
  return true
end

-- Returns the nanoseconds an element of each engine, the best of the rounds.
local function measure(engines, count, cycles)
  local best = {}
  for _ = 1, rounds do
    for name, run in pairs(engines) do
      collectgarbage()
      local before = os.clock()
      for _ = 1, cycles do
        run()
      end
      local time = (os.clock() - before) * 1e9 / cycles / count
      best[name] = math.min(best[name] or math.huge, time)
    end
  end
  return best
end

local function line(name, best)
  local own = best.demat
  local function beside(peer)
    return best[peer] and ("%8.1f %5.1fx"):format(best[peer], best[peer] / own) or ("%8s %6s"):format("-", "")
  end
  print(("%-32s %8.1f %8.1f %s %s %s"):format(
    name, own, best.public or 0, beside("cjson"), beside("dkjson"),
    best.floor and ("%8.1f %5.2f"):format(best.floor, own / best.floor) or ""
  ))
end

print((jit and jit.version or _VERSION) .. ", tables by the layout of " .. (demat.layout()))
print(("%-32s %8s %8s %15s %15s %14s"):format(
  "encode, ns an element", "demat", "public", "lua-cjson", "dkjson", "floor, over it"
))
for _, one in ipairs(grids) do
  local value = one.value
  assert(same(demat.json.decode(demat.json.encode(value)), value), one.name)
  local engines = { demat = function() demat.json.encode(value) end }
  if has_cjson then
    assert(same(cjson.decode(demat.json.encode(value)), value), one.name)
    engines.cjson = function() cjson.encode(value) end
  end
  if has_floor then
    engines.floor = function() floor(value) end
  end
  local best = measure(engines, one.count, cycles)
  demat.configure({ beneath = false })
  best.public = measure({ public = engines.demat }, one.count, cycles).public
  demat.configure({ beneath = true })
  if has_dkjson then
    best.dkjson = measure({ dkjson = function() dkjson.encode(value) end }, one.count, math.max(1, cycles / 20)).dkjson
  end
  line(one.name, best)
end

print(("%-32s %8s %8s %15s %15s"):format("decode, ns an element", "demat", "", "lua-cjson", "dkjson"))
local function decoding(name, document, count, cycles)
  local engines = { demat = function() demat.json.decode(document) end }
  if has_cjson then
    -- lua-cjson rounds integers of 64 bits.
    local own, other = demat.json.decode(document), cjson.decode(document)
    assert(same(cjson.decode(cjson.encode(own)), cjson.decode(cjson.encode(other))), name)
    engines.cjson = function() cjson.decode(document) end
  end
  local best = measure(engines, count, cycles)
  if has_dkjson then
    best.dkjson = measure({ dkjson = function() dkjson.decode(document) end }, count, math.max(1, cycles / 50)).dkjson
  end
  line(name, best)
end
for _, one in ipairs(grids) do
  decoding(one.name, demat.json.encode(one.value), one.count, cycles)
end

if corpus then
  for _, name in ipairs({ "twitter", "citm_catalog", "canada" }) do
    local file = io.open(corpus .. "/" .. name .. ".json")
    if file then
      local document = file:read("*a")
      file:close()
      local count = 0
      local function walk(value)
        count = count + 1
        if type(value) == "table" then
          for _, inner in pairs(value) do
            walk(inner)
          end
        end
      end
      walk(demat.json.decode(document))
      decoding(name .. ".json (" .. count .. " values)", document, count, math.max(1, cycles / 20))
    end
  end
end
