-- Crashes a LuaJIT that compiles loops over `pairs` wrongly (see the readme), mostly within a second. Loads no module.
local function tree(depth)
  local t = {}
  for i = 1, math.random(6) do
    t["k" .. i] = depth > 0 and math.random(2) == 1 and tree(depth - 1) or "s" .. i
  end
  return t
end

local check = {}
function check.same(one, two)
  if type(one) ~= "table" then
    return one == two
  end
  for key, value in pairs(one) do
    if not check.same(value, rawget(two, key)) then
      return false
    end
  end
  return true
end

-- What is compiled depends on the values that come first, so each round compiles anew.
for _ = 1, 500 do
  jit.flush()
  for _ = 1, 100 do
    local t = tree(4)
    assert(check.same(t, t))
  end
end

return true
