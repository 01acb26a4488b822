#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/app.h"
#include "platform/call.h"
#include "platform/consumers.h"

// Pictures that people upload: PUT, GET and DELETE …/picture of an item, and /files/{hash}.
//
// A picture lies in the platform's table, in parts that fit items. It belongs to the one item that
// shows it: a transaction writes both, and when the item has another picture or is gone, a consumer
// of the app's stream removes it. App::pictures say which attributes hold addresses of pictures.

namespace trestle::platform {

inline constexpr std::string_view kPictureTypes = "image/png image/jpeg image/webp";
inline constexpr std::uint32_t kPictureBytesMax = 2 * 1024 * 1024;
inline constexpr std::uint32_t kPictureSideMax = 10'000;
inline constexpr std::uint64_t kPicturePixelsMax = 50'000'000;

// The routes of an item's picture, of which an app says path, access and handler.
inline constexpr Route PutPictureRoute(Route route) {
  route.method = "PUT";
  route.takes = kPictureTypes;
  route.body_bytes_max = kPictureBytesMax;
  return route;
}
inline constexpr Route GetPictureRoute(Route route) {
  route.method = "GET";
  route.gives = kPictureTypes;
  return route;
}

// Makes the body the picture of an item, with further changes of it. The item as it is then.
[[nodiscard]] Result<design::TypedItem> PutPicture(Call& call, const design::TypedItem& item,
                                                   design::Changes changes = {});
// NotFound when the item has none.
[[nodiscard]] Result<design::TypedItem> RemovePicture(Call& call, const design::TypedItem& item,
                                                      design::Changes changes = {});
// Answers with the bytes. NotFound when the item has none, or one of another server.
[[nodiscard]] Status ReplyPicture(Call& call, const design::TypedItem& item, json::Writer& reply);

// Before an item becomes another one, such as one of another partition: its picture becomes the
// other's with the same write. `identity` is that of the other.
struct PictureMove {
  const design::TypedItem& item;
  const design::Record& identity;
};
[[nodiscard]] Status MovePicture(const Mount& mount, const PictureMove& move,
                                 design::Changes& changes, design::WriteOptions& options);

// An address that only PutPicture gives; callers may give those of other servers.
[[nodiscard]] bool IsUploaded(std::string_view address);
inline constexpr std::string_view kPictureGiven = "is given by PUT …/picture";
// Whether the attribute holds the address of an item's picture.
[[nodiscard]] bool ShowsPicture(const App& app, std::string_view entity,
                                std::string_view attribute);

// What the picture consumer of an app does.
[[nodiscard]] Status DropPicture(const Mount& mount, const ItemChange& change);

// The pictures that somebody has uploaded to an app: items of File.
[[nodiscard]] Result<std::vector<design::TypedItem>> PicturesOf(const Mount& mount,
                                                                const std::string& sub);
// Where it is: "/files/…".
[[nodiscard]] std::string AddressOf(const design::Record& file);
// Removes them, also from items that stay.
[[nodiscard]] Status ForgetPictures(const Mount& mount, const std::string& sub);

// GET /files/{hash}: whoever knows the address of a picture may see it, because <img> sends no
// token. Nobody can guess one. Its mount has the run time of platform.design.
extern const App kFilesApp;

}  // namespace trestle::platform
