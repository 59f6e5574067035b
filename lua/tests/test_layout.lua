local demat = require("demat")
local check = require("check")

return {
  {
    "the layout is proved for interpreters that are known",
    function()
      local name, why = demat.layout()
      check.equal(why, nil, "the reason")
      assert(name ~= "public")
    end,
  },
  {
    "it can be switched off, and says so",
    function()
      demat.configure({ beneath = false })
      local name, why = demat.layout()
      demat.configure({ beneath = true })
      check.equal(name, "public")
      check.equal(why, "the program has asked for it")
    end,
  },
}
