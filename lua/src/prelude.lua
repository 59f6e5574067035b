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

-- Copies records from one place to another, without tables between them.
function demat.copy(source, target, options)
  options = options or {}
  local records, rejected, bytes, written = native.copy(source, target, options, options.read, options.write)
  return { records = records, rejected = rejected, bytes = bytes, written = written }
end

-- Goes through what a function returns some at a time.
local function each(batches)
  local batch, at, count = {}, 0, 0
  return function()
    at = at + 1
    while at > count do
      batch = batches()
      if batch == nil then
        at, count = 1, 0
        return nil
      end
      at, count = 1, #batch
    end
    return batch[at]
  end
end

-- Goes through the records of a place.
function demat.read(place, shape, options)
  if type(shape) == "table" then
    shape, options = nil, shape
  end
  return each(native.read(place, shape, options))
end

local unpack = table.unpack or unpack

local database = {}
database.__index = database
database.__name = "demat.database"

-- Runs a statement with parameters. Returns the number of changed rows, and the number of the last inserted one.
function database:execute(sql, ...)
  return self.act("execute", sql, ...)
end

-- Goes through the rows of a statement.
function database:query(sql, parameters, shape)
  parameters = parameters or {}
  return each(self.act("query", sql, shape, unpack(parameters, 1, parameters.n or #parameters)))
end

-- Creates a table for records of a shape, or checks that there is one.
function database:create(name, shape)
  self.act("create", name, shape)
end

for _, verb in ipairs({ "insert", "upsert", "update", "delete" }) do
  database[verb] = function(self, name, rows)
    return self.act(verb, name, rows)
  end
end

-- Calls a function within a transaction, which an error rolls back.
function database:transaction(run, ...)
  self.act("execute", "BEGIN IMMEDIATE")
  local results = { n = 0 }
  local function keep(...)
    results = { n = select("#", ...), ... }
  end
  keep(pcall(run, self, ...))
  if not results[1] then
    pcall(self.act, "execute", "ROLLBACK")
    error(results[2], 0)
  end
  self.act("execute", "COMMIT")
  return unpack(results, 2, results.n)
end

function database:close()
  self.act("close")
end

database.__close = database.close

demat.sqlite = {}

function demat.sqlite.open(path, options)
  options = options or {}
  return setmetatable({ act = native.database(path, options.readonly, options.create ~= false) }, database)
end

-- Builds a new database with one table: of a list of rows, or of a function that returns lists of them.
function demat.sqlite.build(path, options)
  return native.build(path, options.table, options.shape, options.rows, options.durable ~= false, options.replace)
end

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
