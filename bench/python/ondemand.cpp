// One field of each record of a JSON array, summed by simdjson's On-Demand interface: the fastest way that C++ offers.
//
// No binding for Python has this interface, so the loop is C++ too and the interpreter calls it once. Its parser and the
// buffer that the file is read into are kept from call to call: the fresh memory of padded_string::load would take it
// half as long again. It is compiled for this very CPU, since On-Demand chooses its instructions when it is compiled.
//
// Docs: https://github.com/simdjson/simdjson/blob/master/doc/basics.md

#include <cstdio>
#include <vector>

#include "simdjson.h"

namespace {

// The bytes of the file at `path`, with the padding that simdjson wants; false where it can't be read.
bool read_whole(const char *path, std::vector<char> &into, size_t &length) {
  FILE *file = std::fopen(path, "rb");
  if (file == nullptr) { return false; }
  std::setvbuf(file, nullptr, _IONBF, 0);
  const bool sized = std::fseek(file, 0, SEEK_END) == 0;
  const long end = sized ? std::ftell(file) : -1;
  if (end < 0 || std::fseek(file, 0, SEEK_SET) != 0) { std::fclose(file); return false; }
  length = static_cast<size_t>(end);
  if (into.size() < length + simdjson::SIMDJSON_PADDING) { into.resize(length + simdjson::SIMDJSON_PADDING); }
  const bool whole = std::fread(into.data(), 1, length, file) == length;
  std::fclose(file);
  return whole;
}

}  // namespace

extern "C" {

// The sum of `hi` over the records of the file at `path`; -1 where the file is not what it should be.
__attribute__((visibility("default"))) int64_t sum_hi(const char *path) noexcept {
  static simdjson::ondemand::parser parser;
  static std::vector<char> buffer;
  size_t length = 0;
  if (!read_whole(path, buffer, length)) { return -1; }
  const simdjson::padded_string_view text(buffer.data(), length, buffer.size());
  simdjson::ondemand::document document;
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) { return -1; }
  simdjson::ondemand::array records;
  if (document.get_array().get(records) != simdjson::SUCCESS) { return -1; }
  int64_t total = 0;
  for (auto record : records) {
    int64_t hi;
    if (record["hi"].get_int64().get(hi) != simdjson::SUCCESS) { return -1; }
    total += hi;
  }
  return total;
}
}
