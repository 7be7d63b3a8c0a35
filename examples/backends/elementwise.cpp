// A back end for shlo in C++, without any library: a few operations on each element of f32 and i32.
//
//   c++ -std=c++17 -O1 -ffp-contract=off -o elementwise examples/backends/elementwise.cpp
//   shlo conform --engine-command './elementwise {program} {arguments:raw} {results:raw}'
//
// It reads the program as text, and arguments from a folder of raw little-endian numbers: 0.bin, 1.bin, ... It writes
// results in the same form. What it does not run it refuses: exit code 1, the reason on standard error.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

// A tensor of four bytes for each element; `type` is its text, such as tensor<2x3xf32>.
struct Tensor {
  std::string type;
  std::vector<uint32_t> words;
};

using Operands = std::vector<Tensor>;

[[noreturn]] void refuse(const std::string& reason) {
  std::fprintf(stderr, "error: %s\n", reason.c_str());
  std::exit(1);
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The sizes and the element type of tensor<2x3xf32>.
std::pair<std::vector<size_t>, std::string> parts_of(const std::string& type) {
  static const std::regex form("tensor<((?:[0-9]+x)*)(f32|i32)>");
  std::smatch match;
  if (!std::regex_match(type, match, form)) refuse("no values of type " + type + " here");
  std::vector<size_t> sizes;
  std::istringstream text(match[1].str());
  for (std::string size; std::getline(text, size, 'x');) sizes.push_back(std::stoul(size));
  return {sizes, match[2].str()};
}

size_t count_of(const std::string& type) {
  size_t count = 1;
  for (size_t size : parts_of(type).first) count *= size;
  return count;
}

Tensor read_tensor(const std::string& path, const std::string& type) {
  const std::string bytes = read_file(path);
  Tensor tensor{type, std::vector<uint32_t>(count_of(type))};
  if (bytes.size() != tensor.words.size() * 4) refuse(path + " has another size than " + type);
  for (size_t i = 0; i < tensor.words.size(); ++i)
    for (int byte = 0; byte < 4; ++byte)
      tensor.words[i] |= uint32_t(uint8_t(bytes[4 * i + byte])) << (8 * byte);
  return tensor;
}

// Writes N.bin; returns its row of manifest.json.
std::string write_tensor(const std::string& folder, size_t number, const Tensor& tensor) {
  const std::string name = std::to_string(number) + ".bin";
  std::ofstream file(folder + "/" + name, std::ios::binary);
  for (uint32_t word : tensor.words)
    for (int byte = 0; byte < 4; ++byte) file.put(char(word >> (8 * byte)));
  const auto [sizes, element] = parts_of(tensor.type);
  std::string shape;
  for (size_t size : sizes) shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  return "{\"file\": \"" + name + "\", \"element\": \"" + element + "\", \"shape\": [" + shape +
         "], \"bytes\": " + std::to_string(4 * tensor.words.size()) + "}";
}

float number(uint32_t word) {
  float value;
  std::memcpy(&value, &word, 4);
  return value;
}

uint32_t word(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}

using Function = std::function<uint32_t(uint32_t, uint32_t)>;

Function of_floats(std::function<float(float, float)> function) {
  return [function](uint32_t x, uint32_t y) { return word(function(number(x), number(y))); };
}

// IEEE 754's maximum: NaN where one operand is NaN, and -0 is smaller than +0.
float larger(float x, float y) {
  if (x != x || y != y) return NAN;
  return x == y ? (std::signbit(x) ? y : x) : (x > y ? x : y);
}

// By operation and element type: how many operands, and what becomes of the bits of an element of each. Integers wrap.
const std::map<std::string, std::pair<int, Function>>& functions() {
  static const std::map<std::string, std::pair<int, Function>> all = {
      {"add f32", {2, of_floats([](float x, float y) { return x + y; })}},
      {"subtract f32", {2, of_floats([](float x, float y) { return x - y; })}},
      {"multiply f32", {2, of_floats([](float x, float y) { return x * y; })}},
      {"divide f32", {2, of_floats([](float x, float y) { return x / y; })}},
      {"maximum f32", {2, of_floats(larger)}},
      {"minimum f32", {2, of_floats([](float x, float y) { return -larger(-x, -y); })}},
      {"negate f32", {1, of_floats([](float x, float) { return -x; })}},
      {"abs f32", {1, of_floats([](float x, float) { return std::fabs(x); })}},
      {"floor f32", {1, of_floats([](float x, float) { return std::floor(x); })}},
      {"ceil f32", {1, of_floats([](float x, float) { return std::ceil(x); })}},
      {"sqrt f32", {1, of_floats([](float x, float) { return std::sqrt(x); })}},
      {"add i32", {2, [](uint32_t x, uint32_t y) { return x + y; }}},
      {"subtract i32", {2, [](uint32_t x, uint32_t y) { return x - y; }}},
      {"multiply i32", {2, [](uint32_t x, uint32_t y) { return x * y; }}},
      {"negate i32", {1, [](uint32_t x, uint32_t) { return -x; }}},
      {"and i32", {2, [](uint32_t x, uint32_t y) { return x & y; }}},
      {"or i32", {2, [](uint32_t x, uint32_t y) { return x | y; }}},
      {"xor i32", {2, [](uint32_t x, uint32_t y) { return x ^ y; }}},
      {"not i32", {1, [](uint32_t x, uint32_t) { return ~x; }}},
  };
  return all;
}

Tensor evaluate(const std::string& name, const std::string& type, const Operands& operands) {
  const auto found = functions().find(name + " " + parts_of(type).second);
  if (found == functions().end()) refuse("no stablehlo." + name + " of " + type + " here");
  const auto& [arity, function] = found->second;
  if (int(operands.size()) != arity) refuse("stablehlo." + name + " with another number of operands");
  Tensor result{type, {}};
  for (size_t i = 0; i < count_of(type); ++i)
    result.words.push_back(function(operands.front().words[i], operands.back().words[i]));
  return result;
}

std::vector<std::string> all_of(const std::string& text, const std::string& pattern) {
  const std::regex form(pattern);
  std::vector<std::string> words;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), form); match != std::sregex_iterator(); ++match)
    words.push_back((*match)[1].str());
  return words;
}

// Runs the lines of @main one after the other; returns what it returns.
Operands run(const std::string& program, const std::string& folder) {
  static const std::regex operation("\\s*(%\\w+) = stablehlo\\.(\\w+) (%\\w+(?:, %\\w+)*) : (tensor<[^>]*>)");
  static const std::regex argument("(%\\w+): (tensor<[^>]*>)");
  std::map<std::string, Tensor> values;
  std::istringstream lines(program);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.find("func.func") != std::string::npos) {
      const std::string head = line.substr(0, line.find("->"));
      if (head.find("@main") == std::string::npos) refuse("no functions beside @main here");
      auto each = std::sregex_iterator(head.begin(), head.end(), argument);
      for (size_t n = 0; each != std::sregex_iterator(); ++each, ++n)
        values[(*each)[1]] = read_tensor(folder + "/" + std::to_string(n) + ".bin", (*each)[2]);
    } else if (std::regex_match(line, match, operation)) {
      Operands operands;
      for (const std::string& name : all_of(match[3], "(%\\w+)")) operands.push_back(values.at(name));
      for (const Tensor& operand : operands)
        if (operand.type != match[4]) refuse("operands of other types than the result");
      values[match[1]] = evaluate(match[2], match[4], operands);
    } else if (line.find("return ") != std::string::npos) {
      Operands results;
      for (const std::string& name : all_of(line.substr(0, line.find(':')), "(%\\w+)"))
        results.push_back(values.at(name));
      return results;
    } else if (line.find('%') != std::string::npos) {
      refuse("cannot run: " + line.substr(line.find('%'), 80));
    }
  }
  refuse("@main returns nothing");
}

int main(int count, char** words) {
  if (count != 4) refuse("expected PROGRAM ARGUMENTS RESULTS");
  const Operands results = run(read_file(words[1]), words[2]);
  std::string rows;
  for (size_t number = 0; number < results.size(); ++number)
    rows += (number ? ", " : "") + write_tensor(words[3], number, results[number]);
  std::ofstream(std::string(words[3]) + "/manifest.json") << "{\"version\": 1, \"tensors\": [" << rows << "]}\n";
  return 0;
}
