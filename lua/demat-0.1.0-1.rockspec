rockspec_format = "3.0"
package = "demat"
version = "0.1.0-1"
source = { url = "git+file://." }
description = {
  summary = "Moves typed data between Lua tables, formats, files and databases",
  detailed = [[
    Encodes and decodes JSON, MessagePack, CBOR, CSV, YAML, TOML, XML, Protocol Buffers and other formats, with or
    without a shape. It reads the interpreter's own tables where their layout is proved. It needs Rust to be built.
  ]],
  license = "MIT OR Apache-2.0",
}
dependencies = { "lua >= 5.1, < 5.5" }
build = {
  type = "command",
  build_command = "sh build.sh $(LUA)",
  install = { lib = { demat = "build/demat.so" } },
}
