// Sample data: a few weeks of somebody's errands, work and plans.

#include <array>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "apps/notes/notes_internal.h"
#include "design/time_text.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::notes {
namespace {

using design::Record;
using platform::Mount;
using platform::TextRecord;

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kDayMs = 1440 * kMinuteMs;
constexpr int kNoDeadline = 10'000;
constexpr int kAllDay = -1;

struct SampleNote {
  std::string_view title;
  std::string_view content;
  int days;              // from today
  int minute = kAllDay;  // of the day, in UTC
  bool is_done = false;
  std::string_view tag = {};
};

constexpr std::array kAnn = {
    SampleNote{"Tax form", "- [x] receipts\n- [x] bank statement\n- [ ] signature", 12, kAllDay,
               false, "money"},
    SampleNote{"Renew passport", "Photos are in the **blue** folder.", -3, kAllDay, false,
               "errands"},
    SampleNote{"Call the dentist", "Ask whether mornings are free.", -1, 570, false, "health"},
    SampleNote{"Return library books", "Three novels and the atlas.", 0, kAllDay, false, "errands"},
    SampleNote{"Team meeting", "1. budget\n2. release\n3. who waters the plants", 0, 840, false,
               "work"},
    SampleNote{"Water the tomatoes", "", 0, 1080, false, "garden"},
    SampleNote{"Send invoice 114", "Net 30 days.", 1, kAllDay, false, "work"},
    SampleNote{"Pick up the bicycle", "The shop closes at six.", 1, 1020, false, "errands"},
    SampleNote{"Birthday cake for Bob", "Lemon, *not* chocolate.", 2, kAllDay, false, "family"},
    SampleNote{"Birthday dinner", "Table for eight under my name.", 3, 1110, false, "family"},
    SampleNote{"Review the draft", "Chapters 2 to 5, comments in the margin.", 4, 600, false,
               "work"},
    SampleNote{"Pay the rent", "", 5, kAllDay, false, "money"},
    SampleNote{"Choir practice", "Bring the second folder.", 6, 1140, false, "music"},
    SampleNote{"Book the train to Graz", "Seats by the window, quiet zone.", 8, kAllDay, false,
               "travel"},
    SampleNote{"Clean the gutters", "Before the rain.", 10, kAllDay, false, "home"},
    SampleNote{"Quarterly figures",
               "Compare with the year before:\n\n| quarter | sold |\n|---|---|", 14, 540, false,
               "work"},
    SampleNote{"Weekend in the mountains", "- boots\n- map\n- tea", 19, kAllDay, false, "travel"},
    SampleNote{"Car inspection", "Papers are in the glove box.", 26, 480, false, "errands"},
    SampleNote{"Insurance ends", "Compare three offers first.", 34, kAllDay, false, "money"},
    SampleNote{"Exhibition closes", "The one with the etchings.", 41, kAllDay, false, "culture"},
    SampleNote{"Winter tyres", "", 55, kAllDay, false, "errands"},
    SampleNote{"Learn to bake bread", "Start with a simple rye.", kNoDeadline, kAllDay, false,
               "home"},
    SampleNote{"Gift ideas", "- a good knife\n- concert tickets\n- the blue scarf", kNoDeadline,
               kAllDay, false, "family"},
    SampleNote{"Books to look for", "Anything by Calvino; the new atlas of islands.", kNoDeadline,
               kAllDay, false, "culture"},
    SampleNote{"Recipe: pumpkin soup", "Roast first, then cook. Ginger and a little orange peel.",
               kNoDeadline, kAllDay, false, "home"},
    SampleNote{"Sentence for the speech", "> We came for the view and stayed for the company.",
               kNoDeadline},
    SampleNote{"Flu vaccination", "", -8, 500, true, "health"},
    SampleNote{"Send the parcel", "Tracking number is in the mail.", -6, kAllDay, true, "errands"},
    SampleNote{"Sign the contract", "Two copies.", -12, kAllDay, true, "work"},
    SampleNote{"Repair the lamp", "It was the fuse.", -15, kAllDay, true, "home"},
    SampleNote{"Plan the sprint", "", -14, 540, true, "work"},
    SampleNote{"Visit aunt Clara", "Take the photographs along.", -20, 900, true, "family"},
    SampleNote{"Plant the bulbs", "Tulips in front, crocus behind.", -23, kAllDay, true, "garden"},
    SampleNote{"Pay the electricity bill", "", -27, kAllDay, true, "money"},
    SampleNote{"Concert tickets", "Row 9.", -30, 600, true, "music"},
    SampleNote{"Write to the landlord", "About the window in the kitchen.", -37, kAllDay, true,
               "home"},
    SampleNote{"Back up the photographs", "Twice.", -44, kAllDay, true, "home"},
    SampleNote{"Order firewood", "", -50, kAllDay, true, "home"},
};

constexpr std::array kBob = {
    SampleNote{"Buy a lemon squeezer", "", 1, kAllDay, false, "kitchen"},
    SampleNote{"Physics exam", "Chapters 1 to 7, and the one on waves again.", 9, 480, false,
               "study"},
    SampleNote{"Lab report", "Graphs need units!", -2, 1380, false, "study"},
    SampleNote{"Football", "Shirt is in the wash.", 0, 1050, false, "sport"},
    SampleNote{"Return the drill to Ann", "", 4, kAllDay, false, "home"},
    SampleNote{"Song titles", "- Harbour lights\n- Slow trains\n- Salt", kNoDeadline, kAllDay,
               false, "music"},
    SampleNote{"Register for courses", "", -10, kAllDay, true, "study"},
};

constexpr std::array kEve = {
    SampleNote{"Read the log of last night", "Look for slow requests first.", 0, 420, false, "ops"},
    SampleNote{"Rotate the keys", "See the handbook, part 4.", 13, kAllDay, false, "ops"},
    SampleNote{"Test the backup", "A backup that was never restored is none.", 6, kAllDay, false,
               "ops"},
    SampleNote{"Certificate was renewed", "", -5, kAllDay, true, "ops"},
};

std::string MomentText(std::int64_t unix_ms) {
  return design::TimestampText(unix_ms, design::syntax::Precision::kMilliseconds);
}

Status AddNote(const Mount& mount, const SampleNote& sample, const std::string& email) {
  const std::int64_t now = mount.shared->clock->NowUnixMs();
  const std::int64_t midnight = now / kDayMs * kDayMs;
  Record note = TextRecord({{"email", email}, {"title", sample.title}});
  if (!sample.content.empty()) note.SetText("content", sample.content);
  if (!sample.tag.empty()) platform::SetTexts(note, "tags", {std::string(sample.tag)});
  if (sample.days != kNoDeadline) {
    const std::int64_t day = midnight + sample.days * kDayMs;
    note.SetText("deadline", sample.minute == kAllDay
                                 ? design::DateText(day)
                                 : MomentText(day + sample.minute * kMinuteMs));
    const bool has_reminder = sample.minute != kAllDay && sample.days >= 0 && !sample.is_done;
    constexpr std::int64_t kBeforeMs = 30 * kMinuteMs;
    if (has_reminder) {
      note.SetText("remindAt", MomentText(day + sample.minute * kMinuteMs - kBeforeMs));
    }
    if (sample.is_done) note.SetText("doneAt", MomentText(day - kDayMs / 2));
  }
  platform::SetBool(note, "done", sample.is_done);
  TRY(mount.runtime->Create(*mount.runtime->model().FindEntity("Note"), note));
  return Ok();
}

}  // namespace

Status LoadSamples(const Mount& mount, std::span<const platform::Person> people) {
  constexpr std::array kZones = {"Europe/Vienna", "America/New_York", "UTC"};
  const std::array<std::span<const SampleNote>, 3> notes = {kAnn, kBob, kEve};
  for (std::size_t i = 0; i < people.size() && i < notes.size(); ++i) {
    const platform::Person& person = people[i];
    const auto created = mount.runtime->Create(*mount.runtime->model().FindEntity("User"),
                                               TextRecord({{"id", person.sub},
                                                           {"email", person.email},
                                                           {"name", person.name},
                                                           {"timeZone", kZones[i]}}));
    // Who has looked in already has one.
    if (!created.ok() && created.error().code() != ErrorCode::kConditionalCheckFailed) {
      return created.error();
    }
    for (const SampleNote& sample : notes[i])
      TRY(AddNote(mount, sample, person.email));
  }
  return Ok();
}

}  // namespace trestle::apps::notes
