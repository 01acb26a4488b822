#include "web/pages.h"

#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "web/bundle.h"

// The assembler puts the file into the binary as it is: no array of a million numbers for the
// compiler to read.
asm(R"(
  .section .rodata
  .balign 16
trestle_web_bundle:
  .incbin ")" TRESTLE_WEB_BUNDLE R"("
trestle_web_bundle_end:
  .byte 0
  .previous
)");

extern "C" {
extern const char trestle_web_bundle[];      // NOLINT(readability-identifier-naming)
extern const char trestle_web_bundle_end[];  // NOLINT(readability-identifier-naming)
}

namespace trestle::web {
namespace {

std::optional<platform::Page> ToPage(const Asset* asset, const platform::Pages::Wish& wish) {
  if (asset == nullptr) return std::nullopt;
  return platform::Page{.body = std::string(asset->bytes),
                        .content_type = std::string(asset->media_type),
                        .encoding = std::string(asset->encoding),
                        .etag = fmt::format("\"{}\"", asset->hash),
                        .is_immutable = wish.path.starts_with("/assets/")};
}

class BinaryPages final : public platform::Pages {
 public:
  explicit BinaryPages(Bundle bundle) : bundle_(std::move(bundle)) {}

  [[nodiscard]] std::optional<platform::Page> Find(const Wish& wish) const override {
    return ToPage(bundle_.Find({.path = wish.path, .accept_encodings = wish.accept_encodings}),
                  wish);
  }

 private:
  Bundle bundle_;
};

class FilePages final : public platform::Pages {
 public:
  explicit FilePages(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] std::optional<std::string> Read() const {
    std::ifstream in(file_, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
  }

  [[nodiscard]] std::optional<platform::Page> Find(const Wish& wish) const override {
    const auto bytes = Read();
    if (!bytes) return std::nullopt;
    const auto bundle = Bundle::Parse(*bytes);
    if (!bundle.ok()) return std::nullopt;
    return ToPage(bundle->Find({.path = wish.path, .accept_encodings = wish.accept_encodings}),
                  wish);
  }

 private:
  const std::string file_;
};

}  // namespace

std::unique_ptr<platform::Pages> EmbeddedPages() {
  auto bundle = Bundle::Parse({trestle_web_bundle, trestle_web_bundle_end});
  CHECK(bundle.ok(), "the build makes bundles that can be read");
  if (bundle->empty()) return nullptr;
  return std::make_unique<BinaryPages>(*std::move(bundle));
}

Result<std::unique_ptr<platform::Pages>> FolderPages(const std::string& folder) {
  auto pages = std::make_unique<FilePages>(folder + "/bundle");
  if (!pages->Read()) {
    return Error(ErrorCode::kResourceNotFound,
                 fmt::format("{} holds no pages; web/build.mjs makes them", folder));
  }
  return std::unique_ptr<platform::Pages>(std::move(pages));
}

}  // namespace trestle::web
