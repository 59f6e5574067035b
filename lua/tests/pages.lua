-- Runs the examples of pages: lua pages.lua PAGE-OR-FOLDER ...
--
-- The examples of a page that are marked as `lua` run in their order, as one program. A
-- line that ends with `--> text` has to give that text.
local failed, ran = 0, 0

local function show(...)
  local parts = {}
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    parts[i] = tostring(value)
  end
  return table.concat(parts, " ")
end

local function run(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  local lines, at = {}, 0
  local inside = false
  for line in (text .. "\n"):gmatch("(.-)\n") do
    at = at + 1
    if line:match("^```lua$") then
      inside = true
    elseif line:match("^```") then
      inside = false
    elseif inside then
      local code, expected = line:match("^(.-)%s*%-%->%s?(.*)$")
      if code then
        code = code:gsub("^%s*print%((.*)%)$", "%1")
        line = ("__check(%d, %q, %s)"):format(at, expected, code)
      end
      -- Lines keep their numbers.
      lines[at] = line
    end
    lines[at] = lines[at] or ""
  end
  local program = "local __check = ...\n" .. table.concat(lines, "\n")
  if not program:find("require", 1, true) then
    return
  end
  local function check(line, expected, ...)
    ran = ran + 1
    if show(...) ~= expected then
      failed = failed + 1
      print(("FAILED: %s:%d: expected %s, found %s"):format(path, line, expected, show(...)))
    end
  end
  local chunk, failure = (loadstring or load)(program, "@" .. path)
  local ok = chunk ~= nil
  if ok then
    ok, failure = pcall(chunk, check)
  end
  if not ok then
    failed = failed + 1
    print("FAILED: " .. path .. ": " .. tostring(failure))
  end
end

local here = io.popen("pwd"):read("*l")
for _, page in ipairs(arg) do
  if page:sub(1, 1) ~= "/" then
    page = here .. "/" .. page
  end
  if page:match("%.md$") then
    run(page)
  else
    for path in io.popen("ls " .. page .. "/*.md"):lines() do
      run(path)
    end
  end
end
print(("%d examples of pages ran, %d failed"):format(ran, failed))
os.exit(failed == 0 and ran > 0 and 0 or 1)
