-- Random tables: encoded by both ways, decoded and compared.
local demat = require("demat")
local check = require("check")

local texts = { "", "a", "key", "é", "€uro", "𝄞", '"', "\\", "\n", "\0", "/", ("long "):rep(20), ("x"):rep(41) }

local function text(random)
  if random(1, 3) == 1 then
    return texts[random(1, #texts)]
  end
  local bytes = {}
  for i = 1, random(1, 20) do
    bytes[i] = string.char(random(97, 122))
  end
  return table.concat(bytes)
end

local function number(random)
  local kind = random(1, 4)
  if kind == 1 then
    return random(-1000, 1000)
  elseif kind == 2 then
    return random(0, 2 ^ 30) * 1048576 + random(0, 1048575)
  elseif kind == 3 then
    return random(-1000000, 1000000) / 128
  end
  return (random(0, 2 ^ 30) + 0.5) * 2 ^ random(-300, 300)
end

local value

local function array(random, depth)
  local t = {}
  local size = random(1, 6)
  if random(1, 2) == 1 then
    for i = 1, size do
      t[i] = value(random, depth)
    end
  else
    for i = size, 1, -1 do
      t[i] = value(random, depth)
    end
  end
  return t
end

local function object(random, depth)
  local t = {}
  for _ = 1, random(1, 6) do
    t[text(random)] = value(random, depth)
  end
  for _ = 1, random(0, 2) do
    t[text(random)] = nil
  end
  if next(t) == nil then
    t.a = 1
  end
  return t
end

value = function(random, depth)
  local kind = random(1, depth > 4 and 4 or 7)
  if kind == 1 then
    return random(1, 2) == 1
  elseif kind == 2 then
    return number(random)
  elseif kind == 3 then
    return text(random)
  elseif kind == 4 then
    return demat.null
  elseif kind == 5 then
    return array(random, depth + 1)
  end
  return object(random, depth + 1)
end

local function round(format, seed)
  return function()
    local random = check.generator(seed)
    for _ = 1, check.rounds do
      local one = object(random, 1)
      local encoded = check.encode(one, nil, format)
      local back = demat[format].decode(encoded)
      if not check.same(one, back) then
        error(demat.json.encode(one) .. "\n" .. demat.json.encode(back))
      end
    end
  end
end

return {
  { "in JSON", round("json", 1) },
  { "in MessagePack", round("msgpack", 2) },
  { "in CBOR", round("cbor", 3) },
  {
    "mixed keys, which only come back as text",
    function()
      local random = check.generator(4)
      for _ = 1, check.rounds do
        local one = {}
        for _ = 1, random(1, 12) do
          local kind = random(1, 4)
          local key = kind == 1 and random(-3, 12) or kind == 2 and random(1, 8) or random(1, 9) / 2
          if kind == 3 then
            key = "k" .. random(1, 9)
          end
          one[key] = random(1, 5) > 1 and random(1, 9) or nil
        end
        local all = { {}, { sparse = "nulls" }, { sparse = "error" }, { empty = "array" }, { sort_keys = true } }
        for _, options in ipairs(all) do
          local ok, result = check.both(one, options)
          if ok and not options.sparse and next(one) ~= nil then
            local back = demat.json.decode(result)
            local count = 0
            for key, own in pairs(one) do
              count = count + 1
              local same = back[key]
              if same == nil then
                same = back[tostring(key):gsub("%.0$", "")]
              end
              check.equal(same, own, result)
            end
            for _ in pairs(back) do
              count = count - 1
            end
            check.equal(count, 0, result)
          end
        end
      end
    end,
  },
}
