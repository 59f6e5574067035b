-- Replaces `next` and `pairs` by ones that LuaJIT does not compile, where it may compile them wrongly (see the readme).
-- Its version, 2.1.0-beta3, says nothing of the day of its sources, so sound builds get them too.
if not jit or jit.arch ~= "x64" or jit.version ~= "LuaJIT 2.1.0-beta3" then
  return false
end

local compiled_next, compiled_pairs = next, pairs

function next(t, key)
  return compiled_next(t, key)
end

jit.off(next)

function pairs(t)
  local step, state, first = compiled_pairs(t)
  return step == compiled_next and next or step, state, first
end

return true
