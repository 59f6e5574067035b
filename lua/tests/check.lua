-- What tests ask for.
local demat = require("demat")
local check = {}

check.integers = math.type ~= nil

local function show(value)
  if type(value) == "string" then
    return ("%q"):format(value)
  end
  return tostring(value)
end

function check.equal(found, expected, what)
  if found ~= expected then
    error(((what or "values") .. ": expected " .. show(expected) .. ", found " .. show(found)):sub(1, 2000), 2)
  end
end

function check.skip(why)
  error({ skipped = why })
end

-- Whether two values are the same, down to the kinds of their numbers.
function check.same(one, two)
  if type(one) ~= type(two) then
    return false
  end
  if type(one) == "number" then
    local kinds = not math.type or math.type(one) == math.type(two)
    return kinds and (one == two or (one ~= one and two ~= two))
  end
  if type(one) ~= "table" then
    return one == two
  end
  for key, value in pairs(one) do
    if not check.same(value, rawget(two, key)) then
      return false
    end
  end
  for key in pairs(two) do
    if rawget(one, key) == nil then
      return false
    end
  end
  return true
end

local function attempt(encode, value, options)
  local ok, result = pcall(encode, value, options)
  if not ok and type(result) ~= "table" then
    error("an error that is no table: " .. tostring(result), 0)
  end
  return ok, ok and result or result.message, result
end

-- Encodes by both ways, which must agree: in the output, and in errors.
function check.both(value, options, format)
  local encode = demat[format or "json"].encode
  demat.configure({ beneath = true })
  local ok, result, failure = attempt(encode, value, options)
  demat.configure({ beneath = false })
  local public_ok, public_result = attempt(encode, value, options)
  demat.configure({ beneath = true })
  check.equal(result, public_result, "both ways")
  check.equal(ok, public_ok, "both ways")
  return ok, result, failure
end

-- Encodes, which must work.
function check.encode(value, options, format)
  local ok, result = check.both(value, options, format)
  if not ok then
    error(result, 2)
  end
  return result
end

-- Encodes, which must fail so.
function check.refused(value, message, options, format)
  local ok, result, failure = check.both(value, options, format)
  if ok then
    error("expected an error, found " .. show(result), 2)
  end
  if not result:find(message, 1, true) then
    error("expected an error with " .. show(message) .. ", found " .. show(result), 2)
  end
  return failure
end

-- Calls, which must raise such an error of Demat.
function check.raises(message, call, ...)
  local ok, failure = pcall(call, ...)
  if ok then
    error("expected an error with " .. show(message), 2)
  end
  if not tostring(failure):find(message, 1, true) then
    error("expected an error with " .. show(message) .. ", found " .. show(tostring(failure)), 2)
  end
  return failure
end

-- A generator of random numbers that gives the same everywhere.
function check.generator(seed)
  seed = seed % 2147483646 + 1
  return function(low, high)
    seed = (seed * 16807) % 2147483647
    return low + seed % (high - low + 1)
  end
end

check.rounds = tonumber(os.getenv("DEMAT_LUA_ROUNDS")) or 3000

return check
