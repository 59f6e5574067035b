-- Integers of LuaJIT's FFI: their digits, and one of two halves.
local ffi = require("ffi")
local signed, unsigned = ffi.typeof("int64_t"), ffi.typeof("uint64_t")

local function digits(value)
  if ffi.istype(signed, value) or ffi.istype(unsigned, value) then
    return (tostring(value):gsub("[UL]+$", ""))
  end
end

local function wide(high, low, is_unsigned)
  local value = ffi.cast(unsigned, high) * 4294967296ULL + ffi.cast(unsigned, low)
  if is_unsigned then
    return value
  end
  return ffi.cast(signed, value)
end

return digits, wide
