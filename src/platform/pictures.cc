#include "platform/pictures.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "platform/etag.h"
#include "platform/item_json.h"
#include "platform/items.h"
#include "platform/parts.h"
#include "platform/picture_header.h"
#include "platform/picture_metadata.h"
#include "platform/problem.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

using design::Changes;
using design::Record;
using design::TypedItem;

constexpr std::string_view kFilesPath = "/files/";
constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kHashCharacters = 64;

const design::Entity& EntityIn(const design::Runtime& runtime, std::string_view name) {
  const design::Entity* entity = runtime.model().FindEntity(name);
  CHECK(entity != nullptr, "an entity of platform.design");
  return *entity;
}

design::Runtime& PlatformOf(const Mount& mount) {
  CHECK(mount.shared->platform != nullptr, "an app with pictures is served with the platform");
  return *mount.shared->platform;
}

// Null when the items of this entity have no picture.
const AppPicture* FindPicture(const App& app, std::string_view entity) {
  const auto found = std::ranges::find(app.pictures, entity, &AppPicture::entity);
  return found == app.pictures.end() ? nullptr : &*found;
}

const AppPicture& PictureOf(const App& app, const TypedItem& item) {
  const AppPicture* picture = FindPicture(app, item.kind.of().name);
  CHECK(picture != nullptr, "an entity of App::pictures");
  return *picture;
}

// Empty when the item shows none that was uploaded.
std::string HashOf(const App& app, const TypedItem& item) {
  const AppPicture* picture = FindPicture(app, item.kind.of().name);
  const std::string address = picture == nullptr ? "" : TextOf(item.record, picture->attribute);
  return IsUploaded(address) ? address.substr(kFilesPath.size()) : "";
}

// What is stored of an upload.
struct Picture {
  PictureHeader header;
  std::string bytes;
};
Result<Picture> ReadPicture(std::string_view bytes) {
  const auto wrong = [](std::string message, std::string code) {
    return FieldError({.field = "picture", .message = std::move(message), .code = std::move(code)});
  };
  if (bytes.empty()) return wrong("must be the body of the request", "required");
  auto clean = WithoutMetadata(bytes);
  const auto header = clean ? ReadPictureHeader(*clean) : std::nullopt;
  if (!header) return wrong("must be a PNG, JPEG or WebP", "format");
  const std::uint64_t pixels = std::uint64_t{header->width} * header->height;
  if (pixels == 0 || pixels > kPicturePixelsMax ||
      std::max(header->width, header->height) > kPictureSideMax) {
    return wrong(fmt::format("must have sides of 1 to {} pixels and {} pixels at most, not {} x {}",
                             kPictureSideMax, kPicturePixelsMax, header->width, header->height),
                 "dimensions");
  }
  return Picture{.header = *header, .bytes = *std::move(clean)};
}

// A picture with the item that will show it.
struct NewFile {
  std::string_view bytes;
  PictureHeader header;
  std::string owner;
  std::string_view app;
  std::string_view entity;
  const Record& identity;
};

// Nobody can ask whether a server has a picture that they have too: the hash is of a salt as well.
std::string NewHash(std::string_view bytes) {
  return HexEncode(AsBytes(Sha256(SecureRandomBytes(kSaltBytes) + std::string(bytes))));
}

// Adds the actions that store it, and returns its address.
Result<std::string> PlanFile(design::Runtime& platform, const NewFile& file,
                             std::vector<design::WriteItem>& actions) {
  const std::string hash = NewHash(file.bytes);
  Record meta = TextRecord({{"hash", hash},
                            {"mediaType", file.header.media_type},
                            {"owner", file.owner},
                            {"app", file.app},
                            {"entity", file.entity}});
  SetInteger(meta, "size", static_cast<std::int64_t>(file.bytes.size()));
  SetInteger(meta, "width", file.header.width);
  SetInteger(meta, "height", file.header.height);
  SetRecord(meta, "identity", file.identity);
  std::vector<design::WriteItem> planned =
      TRY(platform.PlanCreate(EntityIn(platform, "File"), meta));
  std::ranges::move(planned, std::back_inserter(actions));
  TRY(PlanParts(platform, "FilePart", TextRecord({{"hash", hash}}), file.bytes, actions));
  return std::string(kFilesPath) + hash;
}

// Without its bytes.
Result<std::optional<TypedItem>> FindFile(design::Runtime& platform, const std::string& hash) {
  return platform.Get(EntityIn(platform, "File"), TextRecord({{"hash", hash}}));
}

struct StoredFile {
  Record meta;
  std::string bytes;
};
Result<std::optional<StoredFile>> ReadFile(design::Runtime& platform, const std::string& hash) {
  StoredFile file;
  for (const TypedItem& item :
       TRY(RunWhole(platform, "fileWithParts", TextRecord({{"hash", hash}})))) {
    if (item.kind.kind().name == "File") {
      file.meta = item.record;
    } else {
      AppendPart(item.record, file.bytes);
    }
  }
  // Parts go one by one, after the file itself.
  const auto size = IntegerOf(file.meta, "size");
  if (!size || file.bytes.size() != static_cast<std::size_t>(*size)) {
    return std::optional<StoredFile>();
  }
  return std::optional(std::move(file));
}

Status ReplyFile(Call& call, design::Runtime& platform, const std::string& hash,
                 json::Writer& reply) {
  const std::string tag = fmt::format("\"{}\"", hash);
  const auto seen = call.Header("If-None-Match");
  if (seen && Contains(TRY(ParseEntityTags(*seen)), tag)) {
    if (!TRY(FindFile(platform, hash))) return NotFound("picture");
    call.AddHeader("ETag", tag);
    call.SetStatus(304);
    return Ok();
  }
  const auto file = TRY(ReadFile(platform, hash));
  if (!file) return NotFound("picture");
  call.AddHeader("ETag", tag);
  call.SetContentType(TextOf(file->meta, "mediaType"));
  reply.Raw(file->bytes);
  return Ok();
}

Status DeleteFile(design::Runtime& platform, const std::string& hash) {
  const auto deleted = platform.Delete(EntityIn(platform, "File"), TextRecord({{"hash", hash}}));
  if (deleted.ok() || deleted.error().code() == ErrorCode::kResourceNotFound) return Ok();
  return deleted.error();
}

Status ShowFile(Call& call, json::Writer& reply) {
  const std::string& hash = call.PathValue("hash");
  const auto is_hexadecimal = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  };
  if (hash.size() != kHashCharacters || !std::ranges::all_of(hash, is_hexadecimal)) {
    return NotFound("picture");
  }
  TRY(ReplyFile(call, call.runtime(), hash, reply));
  call.AddHeader("Cache-Control", "private, max-age=31536000, immutable");
  return Ok();
}

constexpr Route kFilesRoutes[] = {
    {.method = "GET",
     .path = "/{hash}",
     .access = Access::kPublic,
     .handle = ShowFile,
     .summary = "A picture that somebody has uploaded",
     .gives = kPictureTypes},
};

}  // namespace

const App kFilesApp = {
    .name = "files", .title = "Pictures", .routes = kFilesRoutes, .mount = "/files"};

std::string AddressOf(const Record& file) { return std::string(kFilesPath) + TextOf(file, "hash"); }

bool IsUploaded(std::string_view address) { return address.starts_with(kFilesPath); }

Result<TypedItem> PutPicture(Call& call, const TypedItem& item, Changes changes) {
  const Picture picture = TRY(ReadPicture(call.raw_body()));
  const Record identity = IdentityOf(item);
  const std::string& entity = item.kind.of().name;
  design::WriteOptions options;
  const std::string address = TRY(PlanFile(PlatformOf(call.mount()),
                                           {.bytes = picture.bytes,
                                            .header = picture.header,
                                            .owner = call.sub(),
                                            .app = call.app().name,
                                            .entity = entity,
                                            .identity = identity},
                                           options.together_with));
  SetText(changes, PictureOf(call.app(), item).attribute, address);
  return UpdateItem(call, entity, identity, changes, std::move(options));
}

Result<TypedItem> RemovePicture(Call& call, const TypedItem& item, Changes changes) {
  const std::string_view attribute = PictureOf(call.app(), item).attribute;
  if (!item.record.Find(attribute)) return NotFound("picture");
  Remove(changes, attribute);
  return UpdateItem(call, item.kind.of().name, IdentityOf(item), changes);
}

Status ReplyPicture(Call& call, const TypedItem& item, json::Writer& reply) {
  const std::string hash = HashOf(call.app(), item);
  if (hash.empty()) return NotFound("picture");
  return ReplyFile(call, PlatformOf(call.mount()), hash, reply);
}

Status MovePicture(const Mount& mount, const PictureMove& move, Changes& changes,
                   design::WriteOptions& options) {
  const std::string hash = HashOf(*mount.app, move.item);
  if (hash.empty()) return Ok();
  const std::string_view attribute = PictureOf(*mount.app, move.item).attribute;
  const auto file = TRY(ReadFile(PlatformOf(mount), hash));
  const auto header = file ? ReadPictureHeader(file->bytes) : std::nullopt;
  if (!header) {
    Remove(changes, attribute);
    return Ok();
  }
  const std::string address = TRY(PlanFile(PlatformOf(mount),
                                           {.bytes = file->bytes,
                                            .header = *header,
                                            .owner = TextOf(file->meta, "owner"),
                                            .app = mount.app->name,
                                            .entity = move.item.kind.of().name,
                                            .identity = move.identity},
                                           options.together_with));
  SetText(changes, attribute, address);
  return Ok();
}

bool ShowsPicture(const App& app, std::string_view entity, std::string_view attribute) {
  const AppPicture* picture = FindPicture(app, entity);
  return picture != nullptr && picture->attribute == attribute;
}

// The address is never given again, so a change that comes twice finds nothing the second time.
Status DropPicture(const Mount& mount, const ItemChange& change) {
  // Copies are not what shows it.
  if (!change.old_item || change.old_item->kind.entity == nullptr) return Ok();
  const std::string hash = HashOf(*mount.app, *change.old_item);
  if (hash.empty()) return Ok();
  if (change.new_item && HashOf(*mount.app, *change.new_item) == hash) return Ok();
  design::Runtime& platform = PlatformOf(mount);
  const auto file = TRY(FindFile(platform, hash));
  const bool is_of_item = file && TextOf(file->record, "app") == mount.app->name &&
                          TextOf(file->record, "entity") == change.old_item->kind.of().name &&
                          RecordAt(file->record, "identity") == IdentityOf(*change.old_item);
  return is_of_item ? DeleteFile(platform, hash) : Ok();
}

Result<std::vector<TypedItem>> PicturesOf(const Mount& mount, const std::string& sub) {
  if (mount.app->pictures.empty() || mount.shared->platform == nullptr) {
    return std::vector<TypedItem>();
  }
  std::vector<TypedItem> files =
      TRY(RunWhole(*mount.shared->platform, "filesOfAccount", TextRecord({{"owner", sub}})));
  std::erase_if(
      files, [&](const TypedItem& file) { return TextOf(file.record, "app") != mount.app->name; });
  return files;
}

Status ForgetPictures(const Mount& mount, const std::string& sub) {
  for (const TypedItem& file : TRY(PicturesOf(mount, sub))) {
    const design::Entity* entity = mount.runtime->model().FindEntity(TextOf(file.record, "entity"));
    const AppPicture* picture = entity == nullptr ? nullptr : FindPicture(*mount.app, entity->name);
    const std::string hash = TextOf(file.record, "hash");
    if (picture != nullptr) {
      design::WriteOptions options{.is_maintenance = true};
      options.rule = [&](const Record& now, Changes& changes) -> Status {
        if (TextOf(now, picture->attribute) == AddressOf(file.record)) {
          Remove(changes, picture->attribute);
        }
        return Ok();
      };
      const auto cleared =
          mount.runtime->Update(*entity, RecordAt(file.record, "identity"), {}, options);
      if (!cleared.ok() && cleared.error().code() != ErrorCode::kResourceNotFound) {
        return cleared.error();
      }
    }
    TRY(DeleteFile(PlatformOf(mount), hash));
  }
  return Ok();
}

}  // namespace trestle::platform
