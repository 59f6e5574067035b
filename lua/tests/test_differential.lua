-- Against lua-cjson, where that is right.
local demat = require("demat")
local check = require("check")
local found, cjson = pcall(require, "cjson")

local function need()
  if not found then
    check.skip("lua-cjson is not installed for this flavour")
  end
end

local function value(random, depth)
  local kind = random(1, depth > 3 and 4 or 6)
  if kind == 1 then
    return random(1, 2) == 1
  elseif kind == 2 then
    return random(-100000, 100000)
  elseif kind == 3 then
    return random(-100000, 100000) / 64 + 0.015625
  elseif kind == 4 then
    local bytes = {}
    for i = 1, random(0, 30) do
      -- lua-cjson escapes the slash and the delete character, which nobody must.
      local byte = random(0, 126)
      bytes[i] = string.char(byte == 47 and 48 or byte)
    end
    return table.concat(bytes)
  end
  local t = {}
  for i = 1, random(1, 5) do
    t[kind == 5 and i or "k" .. i] = value(random, depth + 1)
  end
  return t
end

return {
  {
    "it decodes what is encoded here, and the other way round",
    function()
      need()
      local random = check.generator(11)
      for _ = 1, check.rounds do
        local one = { value(random, 1), value(random, 1) }
        local own, other = check.encode(one), cjson.encode(one)
        local function loose(a, b)
          if type(a) == "number" then
            return a == b
          elseif type(a) ~= "table" then
            return a == b
          end
          for k, v in pairs(a) do
            if not loose(v, b[k]) then
              return false
            end
          end
          return true
        end
        assert(loose(cjson.decode(own), one), own)
        assert(loose(demat.json.decode(other), cjson.decode(other)), other)
        assert(loose(demat.json.decode(own), one), own)
      end
    end,
  },
  {
    "of strings and integers the bytes are the same",
    function()
      need()
      local random = check.generator(12)
      for _ = 1, check.rounds do
        local one = {}
        for i = 1, random(1, 10) do
          local bytes = {}
          for j = 1, random(0, 30) do
            local byte = random(0, 126)
            bytes[j] = string.char(byte == 47 and 48 or byte)
          end
          one[i] = random(1, 2) == 1 and table.concat(bytes) or random(-100000, 100000)
        end
        check.equal(check.encode(one), cjson.encode(one))
      end
    end,
  },
  {
    "its null is ours",
    function()
      need()
      check.equal(cjson.null, demat.null)
      check.equal(check.encode({ cjson.null }), "[null]")
    end,
  },
}
