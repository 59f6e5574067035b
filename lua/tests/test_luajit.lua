-- LuaJIT's own fault: that these tests go around it.
if not jit then
  return {}
end

return {
  {
    "compiled code does not crash in loops over `pairs`",
    function()
      -- Without `interpreted` this ends the process, where LuaJIT has the fault.
      assert(require("luajit_pairs"))
    end,
  },
}
