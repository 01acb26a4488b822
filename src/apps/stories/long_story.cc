#include "apps/stories/long_story.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/hash.h"

namespace trestle::apps::stories {
namespace {

struct Place {
  std::string_view title;
  std::string_view text;
  std::string_view smell;
};

constexpr Place kPlaces[] = {
    {"Greenhouse", "a greenhouse as long as a railway station", "wet earth and lemons"},
    {"Salt Cellar", "a cellar whose walls were salt all the way down", "the sea, a long time ago"},
    {"Ballroom", "a ballroom with chairs along the walls and nobody on them", "floor wax"},
    {"Dry Harbour", "a harbour from which somebody had taken the water", "tar and old rope"},
    {"Clock Loft", "the loft behind the face of a clock", "oil and pigeons"},
    {"Ninth Kitchen", "a kitchen where nine stoves were burning at once", "onions"},
    {"Map Room", "a room papered with maps of the same small island", "glue"},
    {"Orchard", "an orchard at night, with a ladder in every tree", "cold apples"},
    {"Waiting Room", "a waiting room with a stove and a very old timetable", "coal and oranges"},
    {"Observatory", "a round room under a roof that was half sky", "brass"},
    {"Laundry", "a laundry where the sheets went on for streets", "starch and steam"},
    {"Library of Letters", "a library that had no books in it, only letters", "ink"},
    {"Snow Field", "a field of snow with one lamp in the middle of it", "nothing at all"},
    {"Puppet Workshop", "a workshop full of hands that were not finished yet", "lime wood"},
    {"Bell Foundry", "a foundry in which one bell was cooling", "hot sand"},
    {"Swimming Baths", "the swimming baths of a town that she did not know", "chlorine"},
    {"Post Office", "a post office with a queue and no counter", "wet coats"},
    {"Attic of Chairs", "an attic where every chair had its back turned", "dust"},
    {"Ferry Deck", "the deck of a ferry, well out, with all its lights on", "diesel and rain"},
    {"Bakery", "a bakery at the hour when only bakers are up", "bread"},
    {"Quarry", "a quarry with a piano at the bottom", "rain on stone"},
    {"Court of Cats", "a small court of law in which the benches were full of cats", "milk"},
    {"Tunnel", "a tunnel with a draught in it that hummed", "iron"},
    {"Theatre", "a theatre, on the wrong side of the curtain", "paint and nerves"},
    {"Island Garden", "a garden that was an island, or the other way round", "thyme"},
    {"Hospital for Dolls", "a ward with forty beds, each no longer than a shoe", "soap"},
};

constexpr std::string_view kPeople[] = {
    "a tall woman in a postman's coat",
    "a boy with a lantern and no shoes",
    "an old man who was mending a net with his teeth",
    "a girl of about nine who kept the accounts",
    "somebody in a diving suit, eating a sandwich",
    "two sisters who finished each other's stitches",
    "a judge without a case",
    "a conductor, of an orchestra or of a tram; the cap would have done for both",
    "a very polite burglar",
    "the night cook of some other hotel",
    "a woman who was painting the dark with a small brush",
    "a man who carried a ladder as others carry an umbrella",
    "a beekeeper who had lost a bee",
    "a student of weather",
    "a widow in three coats",
    "someone who looked like her brother, if she had had one",
    "a guard who had forgotten what he was guarding",
    "a child who had been told to wait here",
};

constexpr std::string_view kThings[] = {
    "a brass key with no teeth",
    "a jar of rain",
    "a railway lamp",
    "half of a photograph",
    "a paper boat",
    "a glove for the left hand",
    "a spool of blue thread",
    "a stone that was warm on one side",
    "a tin whistle",
    "a folded map",
    "a bell without its tongue",
    "a letter with her name on it",
    "a chess queen",
    "a ticket for last Thursday",
    "a lump of sugar in a napkin",
    "a very small door handle",
    "a feather as long as her arm",
    "a box that must not be shaken",
    "a pair of opera glasses",
    "a candle that burned upside down",
    "somebody else's pocket watch",
    "a sprig of something that had no name",
};

// NOLINTBEGIN(bugprone-suspicious-missing-comma): most of these texts are longer than a line
// {place} {smell} {last}
constexpr std::string_view kArrivals[] = {
    "The door opened on {place}. Nell stood on the sill for a moment, as one does with doors that "
    "were not there yesterday, and then went in with {last} under her arm.",
    "It smelled of {smell} before it looked like anything. Then her lamp caught up with her nose, "
    "and Nell saw that she had come out in {place}.",
    "“Mind the step,” said somebody, too late. Nell landed on her hands and knees in {place}, and "
    "{last} went sliding across the floor and stopped against a boot.",
    "There was no light behind this one. She counted eleven steps with a hand on the wall. At the "
    "twelfth the wall ended, the air smelled of {smell}, and she was in {place}.",
    "She had expected another corridor. What she had got was {place}, and it had clearly been "
    "expecting her: there was a chair, a blanket, and a card that said PORTER.",
    "You could hear this one before you opened it. Nell put {last} down to have both hands free, "
    "leaned on the door until it gave, and was let into {place} all at once, like a cork.",
    "A staircase that goes down for nine minutes ought to end in a cellar. This one ended in "
    "{place}, which had a smell of {smell} and no ceiling that she could find.",
    "Behind the door was a curtain, behind the curtain was a second door, and behind that, so "
    "quietly that she nearly walked past it, was {place}.",
    "The number on it had been painted over twice. When Nell turned the handle the whole wall came "
    "with it, and there she was, {last} and all, in {place}.",
    "“Room service,” said Nell, because one has to say something. Nobody laughed. She was standing "
    "in {place}, and the smell of {smell} was so strong that her eyes ran.",
};

// {person} {thing} {last}
constexpr std::string_view kMeetings[] = {
    "There was {person}. “You are late,” said the stranger, without looking up, “but you are the "
    "first who has brought {last}, so we shall say no more about it.”",
    "She was not alone. In the far corner sat {person}, turning {thing} over and over, in the "
    "manner of somebody who has been given the wrong change and is too shy to go back.",
    "“Oh, good,” said a voice. It belonged to {person}. “You can hold this,” and before Nell could "
    "ask what it was she was holding {thing}, and it was heavier than it looked.",
    "The only other person there was {person}, who bowed, introduced nobody, and asked in a low "
    "voice whether the hotel still had a night porter. “I am the night porter,” said Nell.",
    "It took her some time to notice {person}. They looked at each other. Then both of them looked "
    "at {thing}, which lay exactly half way between them and had not been there before.",
    "Somebody had got here first: {person}. A kettle was on. There were two cups. “I had hoped for "
    "the manager,” said the stranger, “but I can see by your keys that you will do.”",
    "Up a ladder, with a mouth full of nails, was {person}. “Don't tell me,” said the stranger "
    "round the nails. “You opened it because it was there. They all did. Pass me {thing}.”",
    "“Stop,” said {person}. Nell stopped. “Put {last} on the floor, and step over it, left foot "
    "first.” She did. It seemed to help, though neither of them could have said with what.",
    "Beside the door stood {person}, asleep on both feet. Round the sleeper's neck, on a string, "
    "hung {thing} and a label: PLEASE TAKE ME, I AM IN NOBODY'S WAY.",
};

// {the_thing} {last} {smell}
constexpr std::string_view kTurns[] = {
    "They talked for as long as a candle lasts. It came out, by and by, that every guest who had "
    "left the Meridian without paying had left by this way, and that the bill was still open. It "
    "lay on the table under {the_thing}. The sum at the bottom was a date, and the date was "
    "tomorrow.",
    "Nell told the truth, which is quicker. She told about the bell, and the register, and the "
    "name in it that was written in her own hand. When she came to that part there was a silence, "
    "and then, from a long way off, the front desk of the hotel began to ring.",
    "The trouble with {the_thing} was that it wanted to go home. One could feel it pulling, not "
    "hard, "
    "the way a kite pulls on a still day. Wherever she turned, it pulled towards the one wall that "
    "had nothing on it; and when she put her ear there she heard somebody on the other side, "
    "putting an ear to it too.",
    "It was then that the lights went down by half. “That will be the owner,” said the stranger, "
    "and began to put things into pockets. “You have as long as it takes to walk down a corridor. "
    "Take {the_thing}, or leave {last}, but do not do both, and whatever you are asked, you are "
    "not "
    "staying.”",
    "She held {the_thing} up to the lamp. There was writing on it after all, so small that it "
    "might "
    "have been a crack: the number of a room, and under it, three strokes of a pencil, the mark "
    "that porters make for a guest who has died and not been told.",
    "“How many doors are there?” asked Nell. It was the question that she had been carrying about "
    "all night, and it was a relief to set it down. The answer was not a number. The answer was a "
    "hand, laid flat on her sleeve, and a nod towards the window, where the whole of the hotel "
    "stood shining on the other side of the water with one window dark.",
    "For a while nothing happened, and Nell, who was good at that, sat down in it. The smell of "
    "{smell} grew weaker. Somewhere a lift arrived at a floor and opened its gate for nobody. When "
    "she looked at {the_thing} again it had changed, a very little, as a face does when it has "
    "decided "
    "to tell you.",
    "They made an exchange, as people do who meet between two places: {last} for {the_thing}, with "
    "a "
    "handshake. It was only afterwards that she noticed that her shadow had gone with the bargain, "
    "and that she did not much miss it.",
    "“You could stay,” said the stranger. It was kindly meant. There was a bed made up, with the "
    "corner turned down just as she herself turned down two hundred corners every night, and on "
    "the pillow, where the chocolate goes, was {the_thing}.",
};

constexpr std::string_view kEndings[] = {
    "When she looked round there were two ways out, and one of them was closing.",
    "She had her hand on the next door before she noticed that it was warm.",
    "“Whatever you do,” the stranger called after her, “don't let it count you.” It was already "
    "counting.",
    "Behind her the lock turned by itself: twice, like somebody who is in for the night.",
    "The bell rang again. This time it rang from inside her own pocket.",
    "On the far side somebody had written, in chalk and in a hurry: NOT THIS ONE, NELL.",
    "She did what any porter would have done. She straightened her cap, knocked, and went in.",
    "Half of her wanted to run. The other half had already wiped its feet.",
    "There were wet footprints on the boards. They came up to the place where she stood, and did "
    "not go on.",
    "And that, as she would tell it later to whoever sat at the desk by then, was how she came to "
    "be holding the wrong end of the night.",
    "Above the door a small brass hand moved from one number to the next, and stopped at hers.",
    "The next corridor was the first one. Only the carpet had been turned over.",
};
// NOLINTEND(bugprone-suspicious-missing-comma)

constexpr std::string_view kTitles[] = {
    "The {}",        "Into the {}",        "A Guest in the {}", "The {} Again",
    "Out by the {}", "What the {} Wanted", "The {}, at Night",  "Under the {}",
    "The Other {}",  "No Key for the {}",  "Late for the {}",   "The {} Keeps Count",
};

// {title} {thing}
constexpr std::string_view kHints[] = {
    "Nell takes the door on the left, which leads to the {title}, and does not look back.",
    "She follows whoever has been ringing, as far as the {title}, with {thing} in her hand.",
    "What if she had kept {thing}? Then there would have been a way to the {title}.",
    "Somebody else decides for her, and it is the {title} before she can say no.",
    "The slow way round: through the {title}, with time for a conversation and a cup of tea.",
    "A darker turn. The {title} is not empty, and it has heard of her.",
};

constexpr std::string_view kFirst =
    "The Hotel Meridian has two hundred and twelve rooms, and on the night of the fourteenth of "
    "March, at twenty to three, the bell of room two hundred and thirteen began to ring.\n\nNell "
    "Abara had been night porter for six years. She knew the sound of every bell on the board as a "
    "shepherd knows sheep: the cough of 40, the stammer of 118, the long complaint of the bridal "
    "suite. This one she had never heard. It was low and clear and in no hurry. She looked at the "
    "board. Between 212 and the fire notice, where last night there had been four inches of green "
    "paint, there was a small brass flap, and the flap was down.\n\nShe opened the register, to "
    "see who it was. There was one line more than she had written. *213*, it said, *for one "
    "night*, and then a name, and the name was hers; and so, when she held it under the lamp, was "
    "the hand.\n\nSo she took the lamp, and the master key, and, because her mother had brought "
    "her up properly, a clean towel. The lift would not go. On the second landing the corridor, "
    "which had always ended at a window, did not.";

// Always the same for the same words: a tree that people know does not change from one start to
// the next.
class Dice {
 public:
  explicit Dice(std::size_t place) : place_(place) {}
  std::size_t Below(std::size_t sides) {
    return StableHash(fmt::format("long story {} {}", place_, ++throws_)) % sides;
  }
  double Share() { return static_cast<double>(Below(1000)) / 1000.0; }
  std::string_view Of(std::span<const std::string_view> texts) {
    return texts[Below(texts.size())];
  }

 private:
  std::size_t place_;
  std::size_t throws_ = 0;
};

struct Scene {
  const Place* place = nullptr;
  std::string_view thing;
};

// What was spoken of before: "the jar of rain".
std::string Known(std::string_view thing) {
  constexpr std::string_view kNew = "a ";
  return thing.starts_with(kNew) ? fmt::format("the {}", thing.substr(kNew.size()))
                                 : std::string(thing);
}

std::string Fill(std::string_view words, const Scene& scene, std::string_view last,
                 std::string_view person) {
  return fmt::format(fmt::runtime(words), fmt::arg("place", scene.place->text),
                     fmt::arg("smell", scene.place->smell), fmt::arg("title", scene.place->title),
                     fmt::arg("thing", scene.thing), fmt::arg("the_thing", Known(scene.thing)),
                     fmt::arg("person", person), fmt::arg("last", Known(last)));
}

// Nearly half of the chapters go on from the newest one, so that some ways are long.
std::size_t ParentOf(std::span<const LongChapter> chapters, std::span<const std::int64_t> children,
                     Dice& dice) {
  constexpr std::int64_t kChildrenUsual = 6;
  constexpr std::int64_t kDepthUsual = 24;
  std::size_t parent = chapters.size() - 1;
  if (dice.Below(100) >= 45) parent = dice.Below(chapters.size());
  while (parent > 0 &&
         (children[parent] >= kChildrenUsual || chapters[parent].depth >= kDepthUsual))
    parent = chapters[parent].parent;
  return parent;
}

void Write(LongChapter& chapter, const Scene& scene, std::string_view last, Dice& dice) {
  const std::string_view person = dice.Of(kPeople);
  for (const std::span<const std::string_view> texts :
       {std::span<const std::string_view>(kArrivals), std::span<const std::string_view>(kMeetings),
        std::span<const std::string_view>(kTurns)})
    chapter.content += Fill(dice.Of(texts), scene, last, person) + "\n\n";
  chapter.content += dice.Of(kEndings);
  if (dice.Below(4) != 0) chapter.hint = Fill(dice.Of(kHints), scene, last, person);
}

void Vote(LongChapter& chapter, std::size_t authors, Dice& dice) {
  // The more have read it, the more have something to say.
  const double interest = std::min(0.9, 0.04 + static_cast<double>(chapter.reads) / 900.0);
  const double liking = 0.55 + dice.Share() * 0.45;
  for (std::size_t voter = 0; voter < authors; ++voter) {
    const bool has_voted = dice.Share() < interest;
    if (voter == chapter.author || !has_voted) continue;
    (dice.Share() < liking ? chapter.upvotes : chapter.downvotes).push_back(voter);
  }
}

LongChapter First(std::size_t authors) {
  LongChapter chapter;
  chapter.title = "Two Hundred and Thirteen";
  chapter.content = kFirst;
  chapter.reads = 1840;
  Dice dice(0);
  Vote(chapter, authors, dice);
  return chapter;
}

}  // namespace

std::vector<LongChapter> MakeLongStory(std::size_t authors) {
  std::vector<LongChapter> chapters = {First(authors)};
  std::vector<Scene> scenes = {{.place = &kPlaces[0], .thing = "the clean towel"}};
  std::vector<std::int64_t> children(kLongStoryChapters, 0);
  chapters.reserve(kLongStoryChapters);
  scenes.reserve(kLongStoryChapters);
  for (std::size_t place = 1; place < kLongStoryChapters; ++place) {
    Dice dice(place);
    LongChapter chapter;
    chapter.parent = ParentOf(chapters, children, dice);
    LongChapter& parent = chapters[chapter.parent];
    chapter.order = children[chapter.parent]++;
    chapter.depth = parent.depth + 1;
    chapter.author = dice.Below(3) == 0 ? 0 : dice.Below(authors);
    // Neighbours are in different places, and every title is there once.
    const std::size_t turn = place / std::size(kPlaces);
    const Scene scene{.place = &kPlaces[place * 7 % std::size(kPlaces)],
                      .thing = kThings[(place * 5 + turn) % std::size(kThings)]};
    chapter.title =
        fmt::format(fmt::runtime(kTitles[turn % std::size(kTitles)]), scene.place->title);
    Write(chapter, scene, scenes[chapter.parent].thing, dice);
    const double share =
        (0.25 + dice.Share() * 0.7) / std::sqrt(1.0 + static_cast<double>(chapter.order));
    chapter.reads = std::max<std::int64_t>(
        2, static_cast<std::int64_t>(static_cast<double>(parent.reads) * share));
    Vote(chapter, authors, dice);
    const bool is_foreign = chapter.author != 0;
    chapter.is_approved = is_foreign && dice.Below(4) == 0;
    chapter.is_vision = chapter.is_approved && parent.vision_child == 0 && dice.Below(2) == 0;
    if (chapter.is_vision) parent.vision_child = place;
    chapters.push_back(std::move(chapter));
    scenes.push_back(scene);
  }
  return chapters;
}

}  // namespace trestle::apps::stories
