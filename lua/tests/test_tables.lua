-- What is an array, and what an object.
local demat = require("demat")
local check = require("check")
local encode = check.encode

return {
  {
    "a sequence is an array, however it was made",
    function()
      check.equal(encode({ 1, 2, 3 }), "[1,2,3]")
      for size = 1, 70 do
        local up, down, holes = {}, {}, {}
        local expected = {}
        for i = 1, size do
          up[i] = i
          down[size + 1 - i] = size + 1 - i
          expected[i] = tostring(i)
        end
        for i = 1, size, 2 do
          holes[i] = i
        end
        for i = 2, size, 2 do
          holes[i] = i
        end
        expected = "[" .. table.concat(expected, ",") .. "]"
        check.equal(encode(up), expected)
        check.equal(encode(down), expected)
        check.equal(encode(holes), expected)
      end
    end,
  },
  {
    "a table that shrank is what it is now",
    function()
      for size = 1, 40 do
        local t = {}
        for i = 1, size do
          t[i] = i
        end
        for i = size, 1, -1 do
          t[i] = nil
          check.equal(#demat.json.decode(encode(t, { empty = "array" })), i - 1)
        end
        check.equal(encode(t), "{}")
      end
      local named = { a = 1 }
      named.a = nil
      check.equal(encode(named), "{}")
      named[1] = 5
      check.equal(encode(named), "[5]")
    end,
  },
  {
    "anything else is an object",
    function()
      check.equal(encode({ a = 1 }), '{"a":1}')
      check.equal(encode({ [0] = 1 }), '{"0":1}')
      check.equal(encode({ [-1] = 1 }), '{"-1":1}')
      check.equal(encode({ [1.5] = 1 }), '{"1.5":1}')
      check.equal(encode({ [2] = 1 }), '{"2":1}')
      check.equal(encode({ [true] = 1 }), '{"true":1}')
      check.equal(encode({ [1e300] = 1 }), '{"1e+300":1}')
      check.equal(encode({ 1, 2, nil, 4 }), '{"1":1,"2":2,"4":4}')
      check.equal(encode({ 1, x = 2 }), '{"1":1,"x":2}')
      check.equal(encode({ [0] = "zero", "one", "two" }, { sort_keys = true }), '{"0":"zero","1":"one","2":"two"}')
    end,
  },
  {
    "an array with one key more is an object, at any size",
    function()
      for size = 0, 40 do
        local t = {}
        for i = 1, size do
          t[i] = 0
        end
        t.x = 0
        check.equal(encode(t):sub(1, 1), "{")
        t.x = nil
        t[size + 2] = 0
        check.equal(encode(t):sub(1, 1), "{")
        t[size + 1] = 0
        check.equal(encode(t):sub(1, 1), "[")
      end
    end,
  },
  {
    "an empty table is an object, unless an option says otherwise",
    function()
      check.equal(encode({}), "{}")
      check.equal(encode({ {}, a = nil }), "[{}]")
      check.equal(encode({ {} }, { empty = "array" }), "[[]]")
      check.equal(encode({}, { empty = "object" }), "{}")
    end,
  },
  {
    "holes: an object, nulls, or an error",
    function()
      local sparse = { 1, nil, 3, nil, nil, 6 }
      check.equal(encode(sparse, { sort_keys = true }), '{"1":1,"3":3,"6":6}')
      check.equal(encode(sparse, { sparse = "object", sort_keys = true }), '{"1":1,"3":3,"6":6}')
      check.equal(encode(sparse, { sparse = "nulls" }), "[1,null,3,null,null,6]")
      check.equal(encode({ [3] = 3 }, { sparse = "nulls" }), "[null,null,3]")
      check.refused({ a = sparse }, "holes", { sparse = "error" })
      check.equal(check.refused({ a = sparse }, "holes", { sparse = "error" }).path, "$.a")
      check.equal(encode({ 1, 2, a = 3 }, { sparse = "error", sort_keys = true }), '{"1":1,"2":2,"a":3}')
      check.equal(encode({ [-1] = 1 }, { sparse = "nulls" }), '{"-1":1}')
    end,
  },
  {
    "a hole may not cost a gigabyte",
    function()
      check.refused({ [1e9] = 1 }, "110", { sparse = "nulls" })
      check.equal(#demat.json.decode(encode({ [100] = 1 }, { sparse = "nulls" })), 100)
    end,
  },
  {
    "two keys may not be the same text",
    function()
      check.refused({ [1] = "a", ["1"] = "b" }, "same text, `1`")
      check.refused({ x = { [true] = "a", ["true"] = "b" } }, "same text, `true`")
      check.refused({ [0] = "a", ["0"] = "b", x = 1 }, "same text, `0`")
      check.refused({ [1.5] = "a", ["1.5"] = "b" }, "same text, `1.5`")
      check.equal(encode({ [1] = "a", ["01"] = "b" }, { sort_keys = true }), '{"01":"b","1":"a"}')
      -- MessagePack keeps both apart.
      local both = demat.msgpack.decode(encode({ [1] = "a", ["1"] = "b" }, nil, "msgpack"))
      check.equal(both[1] .. both["1"], "ab")
    end,
  },
  {
    "keys of other types are refused, with the path",
    function()
      check.refused({ a = { [{}] = 1 } }, "a table can't be a key at `$.a`")
      check.refused({ a = { [print] = 1 } }, "a function can't be a key at `$.a`")
      check.refused({ a = { [demat.null] = 1 } }, "a userdata can't be a key at `$.a`")
    end,
  },
}
