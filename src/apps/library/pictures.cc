// Pictures of books and videos.

#include "platform/pictures.h"

#include "apps/library/library_internal.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::library {

Status PutPicture(Call& call, json::Writer& reply) {
  TRY(OwnLibrary(call));
  const design::TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  return platform::ReplyItem(call, TRY(platform::PutPicture(call, item)), reply);
}

Status GetPicture(Call& call, json::Writer& reply) {
  const design::TypedItem library = TRY(VisibleLibrary(call));
  const std::string owner_id = platform::TextOf(library.record, "OwnerId");
  return platform::ReplyPicture(call, TRY(FindItem(call, owner_id)), reply);
}

Status DeletePicture(Call& call, json::Writer& /*reply*/) {
  TRY(OwnLibrary(call));
  const design::TypedItem item = TRY(FindItem(call, OwnerIdOf(call)));
  TRY(platform::RemovePicture(call, item));
  return platform::ReplyNothing(call);
}

}  // namespace trestle::apps::library
