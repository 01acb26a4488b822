#include "wire/gzip.h"

#include <memory>

#include <libdeflate.h>

#include "base/bytes.h"

namespace trestle::wire {
namespace {

constexpr std::size_t kGzipBytesMin = 18;  // header and trailer
constexpr int kFastLevel = 1;

struct Free {
  void operator()(libdeflate_decompressor* it) const { libdeflate_free_decompressor(it); }
  void operator()(libdeflate_compressor* it) const { libdeflate_free_compressor(it); }
};

}  // namespace

Status Gunzip(std::string_view compressed, std::size_t size_bytes_max, std::string& out) {
  const Error fault = SerializationError("The request body is not a valid gzip stream");
  if (compressed.size() < kGzipBytesMin) return fault;
  // The trailer says how long the text is. A lie is found when decompressing.
  const std::size_t size_bytes = ReadU32Le(compressed.data() + compressed.size() - 4);
  if (size_bytes > size_bytes_max) {
    return SerializationError("The request body is too large");
  }
  out.resize(size_bytes);
  const std::unique_ptr<libdeflate_decompressor, Free> decompressor(
      libdeflate_alloc_decompressor());
  if (decompressor == nullptr) throw std::bad_alloc();
  std::size_t used_bytes = 0;
  std::size_t actual_bytes = 0;
  const auto result =
      libdeflate_gzip_decompress_ex(decompressor.get(), compressed.data(), compressed.size(),
                                    out.data(), out.size(), &used_bytes, &actual_bytes);
  if (result != LIBDEFLATE_SUCCESS || used_bytes != compressed.size() ||
      actual_bytes != size_bytes) {
    return fault;
  }
  return Ok();
}

bool Gzip(std::string_view text, std::string& out) {
  const std::unique_ptr<libdeflate_compressor, Free> compressor(
      libdeflate_alloc_compressor(kFastLevel));
  if (compressor == nullptr) return false;
  out.resize(text.size());
  const std::size_t size_bytes =
      libdeflate_gzip_compress(compressor.get(), text.data(), text.size(), out.data(), out.size());
  out.resize(size_bytes);
  return size_bytes != 0;
}

}  // namespace trestle::wire
