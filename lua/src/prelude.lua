-- The part of the module that is written in Lua. The native part is its argument.
local native = ...
local demat = {
  null = native.null,
  version = native.version,
  encoder = native.encoder,
  decoder = native.decoder,
  layout = native.layout,
  configure = native.configure,
  shape = native.shape,
}

native.array.__jsontype = "array"
native.array.__name = "demat.array"
native.object.__jsontype = "object"
native.object.__name = "demat.object"
native.error.__name = "demat.error"
native.error.__tostring = function(failure)
  return failure.message
end

local function marker(own, other, name)
  return function(t)
    if t == nil then
      t = {}
    elseif type(t) ~= "table" then
      error(name .. " takes a table, not a " .. type(t), 2)
    end
    local metatable = getmetatable(t)
    if metatable ~= nil and metatable ~= own and metatable ~= other then
      error("the table has a metatable of its own: set __jsontype there", 2)
    end
    return setmetatable(t, own)
  end
end

demat.array = marker(native.array, native.object, "demat.array")
demat.object = marker(native.object, native.array, "demat.object")

function demat.is_error(value)
  return type(value) == "table" and getmetatable(value) == native.error
end

local names = {}
for i, format in ipairs(native.formats) do
  names[i] = format.name
  demat[format.name] = {
    name = format.name,
    description = format.description,
    encode = format.encode,
    decode = format.decode,
  }
end

function demat.formats()
  local copy = {}
  for i, name in ipairs(names) do
    copy[i] = name
  end
  return copy
end

return demat
