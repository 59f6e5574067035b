-- Tables of all forms, for the proof of the layout: what the API says of them is compared with what stands in memory.
local probes = {}

local function add(t)
  probes[#probes + 1] = t
  return t
end

-- A generator of its own, so that the program's is not disturbed.
local seed = 12345
local function random(n)
  seed = (seed * 16807) % 2147483647
  return seed % n + 1
end

add({})
add({ 1, 2, 3 })
add({ 1, nil, 3 })
add({ a = 1, b = 2 })
add({ "a", "b", x = "y", [10] = 10, [-1] = "minus", [0] = "zero", [1.5] = "half", [1e300] = "far", [true] = "yes" })
add({ 0, -1, 1.5, -0.0, 1e10, 2 ^ 53, -2 ^ 53, 2 ^ 63, -2 ^ 63, 1 / 0, -1 / 0, 1e-300, 4294967296, 2147483648 })
add({ true, false, true, "", "a", ("x"):rep(39), ("x"):rep(40), ("x"):rep(41), ("y"):rep(1000), "\0\1\255" })
add({ add, print, string.len, coroutine.create(function() end), io and io.stdout or nil })
add({ { { { { deep = {} } } } }, n = { 1, { 2 } } })
add(setmetatable({ 1 }, { __index = {}, __len = function() return 7 end }))

if math.maxinteger then
  add({ math.maxinteger, math.mininteger, [math.maxinteger] = 1, [math.mininteger] = 2, 3, 3.0 })
end

for size = 0, 70 do
  local up, down, text = {}, {}, {}
  for i = 1, size do
    up[i] = i
    down[size - i + 1] = i
    text["k" .. i] = ("v"):rep(i)
  end
  -- The length may be kept as a hint within the table.
  local _ = #up + #down
  add(up)
  add(down)
  add(text)
end

-- Keys that were removed, and lengths that were asked for meanwhile.
for size = 1, 40, 3 do
  local t, u = {}, {}
  for i = 1, size do
    t[i] = i
    u["k" .. i] = i
  end
  for i = size, 1, -2 do
    t[i] = nil
    u["k" .. i] = nil
    local _ = #t
  end
  add(t)
  add(u)
end

for _ = 1, 150 do
  local t = {}
  for _ = 1, random(40) do
    local kind = random(6)
    local key
    if kind <= 2 then
      key = random(30)
    elseif kind == 3 then
      key = "s" .. random(50)
    elseif kind == 4 then
      key = random(1000) + 0.25
    elseif kind == 5 then
      key = -random(5)
    else
      key = #t + 1
    end
    local value = random(7)
    if value == 1 then
      t[key] = nil
    elseif value == 2 then
      t[key] = ("z"):rep(random(60))
    elseif value == 3 then
      t[key] = random(2) == 1
    elseif value == 4 then
      t[key] = random(1000000) / 7
    elseif value == 5 then
      t[key] = { random(9), x = random(9) }
    else
      t[key] = random(1000000)
    end
  end
  add(t)
end

return probes
