// Stories to look around in.

#include <array>
#include <map>

#include <fmt/format.h>

#include "apps/stories/long_samples.h"
#include "apps/stories/rules.h"
#include "apps/stories/stories_internal.h"
#include "platform/items.h"
#include "platform/values.h"

namespace trestle::apps::stories {
namespace {

using design::Changes;
using design::Record;
using platform::TextRecord;

struct SampleChapter {
  std::string_view name;    // within its story; the first one has none before it
  std::string_view parent;  // empty: the first chapter
  std::size_t author;       // of the people
  std::string_view title;
  std::string_view hint;  // branchDescription; empty: none
  std::string_view content;
};

struct SampleStory {
  std::size_t author;
  std::string_view title;
  std::string_view synopsis;
  std::string_view genre;
  std::string_view rating;
  std::string_view status;
  std::span<const SampleChapter> chapters;
};

constexpr SampleChapter kLighthouse[] = {
    {"lamp", "", 0, "The Lamp Goes Out", "",
     "For thirty-one years the lamp on Gannet Rock had burned from dusk to dawn, and for nineteen "
     "of them Marta Osk had been the one to light it. On the first night of November it went out "
     "at ten past two.\n\nShe woke because of the dark. A keeper sleeps by the turning of the "
     "light the way a miller sleeps by the wheel, and when the white bar stopped crossing her "
     "ceiling she was on her feet before she knew why. The stairs were cold. The oil was full. The "
     "wick was dry and whole, and the clockwork turned as if nothing had happened.\n\nOnly the "
     "flame was missing, and on the brass of the lamp, still wet, was the print of a small "
     "hand.\n\nBelow, out on the black water where no boat had any business to be, somebody was "
     "ringing a bell."},
    {"boat", "lamp", 1, "Down to the Water",
     "Marta leaves the lamp dark, takes the boat out, and goes to see who is ringing.",
     "She did not light it again. Later, before the harbour board, she would say that there had "
     "been no time, but the truth was that a lamp which can be put out once can be put out twice, "
     "and the bell was getting slower.\n\nThe boat was where it always was, upside down on the "
     "slip with a stone on its keel. She rowed with her back to the sound, as one must, and "
     "counted the strokes. At forty the bell was ahead of her. At sixty it was behind. At eighty "
     "it was beneath the boat, quite close, and she shipped the oars and looked over the "
     "side.\n\nThere was a light down there. It turned, as hers should have been turning, white "
     "and slow, and by it she could see the stairs of a tower that went down instead of up."},
    {"stairs", "boat", 0, "The Tower That Goes Down", "",
     "You may think what you like of Marta Osk, and on the mainland they think a good deal, but "
     "she had never in her life left a light untended. She tied the painter to her belt, took the "
     "breath that her grandmother had taught her, and went over the side with her boots on.\n\nThe "
     "water was not cold. That was the first thing. The second was that it ended: at the third "
     "step she came out of it as one comes out of a door, upside down and dripping, into a dry "
     "round room with a bunk, a stove, and a table that was laid for two.\n\n“You took your time,” "
     "said the woman at the stove. She had Marta's face, less nineteen years. “Sit down. Nobody "
     "has relieved me since the night that you went up.”"},
    {"hand", "lamp", 2, "The Print of a Hand",
     "Marta stays at her post, and follows the wet prints through the house instead.",
     "A bell can wait. A thief in the lamp room cannot. Marta turned up the lantern and looked at "
     "the print until she was sure of it: five fingers, no bigger than a child's, and between them "
     "the faint web of something that spends its days in the sea.\n\nThere was another on the "
     "rail, and a third on the door of the store. They went down, round and round, past the bunk "
     "where she had been lying with her eyes shut, past the shelf with the log of nineteen years, "
     "and stopped at the cupboard under the stairs where the old keeper had kept his "
     "barometer.\n\nSomething in there was breathing through a blocked nose.\n\n“I have soup,” "
     "said "
     "Marta to the door, because it was the only thing she could think of that was both true and "
     "friendly. After a while the handle began to turn."},
    {"soup", "hand", 0, "Soup for Two", "",
     "It ate like something that had been told about spoons. When the bowl was empty it held it up "
     "with both webbed hands and looked over the rim with eyes as flat and bright as sixpences, "
     "and Marta filled it again.\n\n“You put my light out,” she said.\n\nIt nodded. It was about "
     "the size of a boy of six, if a boy of six were grey, and it had wrapped itself in the "
     "keeper's second-best oilskin.\n\n“Why?”\n\nIt thought. It dipped one finger in the soup and "
     "drew on her clean table: a line for the sea, a stroke for the tower, and then, far out, "
     "coming in along the beam as a moth comes in along the light of a window, a shape so large "
     "that it ran over the edge of the wood and had to be finished on the floor."},
};

constexpr SampleChapter kStation[] = {
    {"queue", "", 1, "A Window Seat", "",
     "The train to the moon leaves from platform nine, twice a day, and is always late. Ibrahim "
     "Vance had commuted on it for eleven years and knew every excuse by heart: leaves on the "
     "cable, a signal fault at the cloud line, the wrong kind of vacuum. On Tuesday the board "
     "showed something new. It said CANCELLED, and under it, in smaller letters, UNTIL YOU "
     "APOLOGISE.\n\nNobody on the platform seemed to think that it was meant for them. They "
     "folded their newspapers and looked at each other's shoes.\n\n“Well, it wasn't me,” said a "
     "woman with a cello.\n\nIbrahim said nothing. He was thinking about the letter in his inside "
     "pocket, the one that he should have posted in spring, and about the face of the guard who "
     "had been standing beside him when he decided not to."},
    {"sorry", "queue", 2, "He Says It",
     "Ibrahim walks to the front of the train and apologises to whoever is listening.",
     "It is a long way to the front of the moon train. It has forty carriages, and by the twelfth "
     "people had begun to follow him, at a distance, the way people follow a man who may be about "
     "to do something that they can talk about later.\n\nThe engine was ticking as it cooled. It "
     "had a brass plate with its name on it, which was Patience.\n\n“I am sorry,” said Ibrahim. He "
     "felt foolish, then less so. “I said that I would write to her, and I wrote, and I did not "
     "send it. I let you carry me past her house twice a day for half a year with my face behind a "
     "newspaper.”\n\nNothing happened for so long that somebody coughed. Then, high above them, "
     "one after the other, the lamps along the cable came on."},
    {"letter", "queue", 0, "The Woman With the Cello",
     "Somebody else has a reason to apologise, and a much larger one than an unsent letter.",
     "“All right,” said the woman with the cello, when it had gone on for an hour. “All right. It "
     "might have been me.”\n\nEveryone made room around her, as one does. She undid the four "
     "clasps of the case and opened it, and there was no cello in it. There was a great deal of "
     "straw, and in the straw, humming a little, lay a piece of the moon as big as a loaf.\n\n“It "
     "was only a small piece,” she said. “I found it by the side of the line. They have got so "
     "much "
     "of it up there and we have got none at all, and my mother is ninety, and she said that she "
     "would like to touch it once.”\n\nThe loaf of moon rolled over in its straw, as if to see the "
     "speaker better. Far up, where the cable vanished into the evening, something had begun to "
     "pull."},
};

constexpr SampleChapter kInheritance[] = {
    {"will", "", 2, "The Reading of the Will", "",
     "“To my nephew Tobias,” read the lawyer, “I leave my debts, which are considerable, and my "
     "enemies, who are few but punctual. To my niece Josephine I leave the house on Candle Street, "
     "on the condition that she does not, in any circumstances, open the piano.”\n\nJosephine, who "
     "was twenty-six, a locksmith, and had not known until that morning that she had an uncle, put "
     "up her hand.\n\n“Why not the piano?”\n\nThe lawyer turned the page over. He turned it back. "
     "“It says: because it is asleep.” He took off his spectacles and began to clean them with "
     "great care. “There is also a key. I am to give it to you, and I am to ask you, as a man who "
     "has spent one night in that house and will not spend another, to throw it in the river on "
     "your way home.”\n\nIt was a very good key. She had never seen a better one."},
    {"open", "will", 1, "She Opens It",
     "A locksmith with a key like that was never going to throw it into any river.",
     "The river was on the way home. Josephine crossed it twice, to be fair to everybody, and both "
     "times the key was still in her hand on the other side.\n\nThe house was narrow and smelled "
     "of oranges. The piano stood in the back parlour under a sheet, and it was breathing: the "
     "sheet rose and fell, about as fast as that of a sleeping dog. She walked around it once with "
     "the lamp. It had no keyhole in the lid, where a piano has one. It had eleven of them, low "
     "down on the left side, in a row like the buttons of a boot.\n\n“Eleven locks and one key,” "
     "said Josephine, who talked to her work. “Somebody wanted to be asked nicely.” And she knelt, "
     "and put her ear to the wood, and began with the third."},
    {"river", "will", 0, "The River Gives It Back",
     "She does as she is told, for once, and it makes no difference whatever.",
     "She threw it from the middle of the bridge, overarm, and watched it go in. It made hardly "
     "any "
     "splash for a thing of its weight. Then she bought a pie and ate it, and went to look at her "
     "house.\n\nThe key was on the doormat. It was wet, and there was a small crab holding on to "
     "the ring of it with an expression of having been told to wait for an answer.\n\n“No,” said "
     "Josephine, and shut the door.\n\nIt was under her pillow that night, and in the sugar the "
     "next morning. By Thursday she had thrown it in the river, the stove, the foundations of the "
     "new town hall and a passing cart of turnips. By Friday the piano, which she had not so much "
     "as "
     "looked at, had begun to hum in its sleep: the same five notes, over and over, like somebody "
     "who cannot remember how a song goes on."},
    {"notes", "river", 2, "Five Notes", "",
     "It was the milkman who knew it. He stood on the step with the can in his hand and his head "
     "on "
     "one side, and then, without seeming to notice, he sang the sixth.\n\nIn the back parlour "
     "something rolled over and sighed.\n\n“Where have you got that from?” said Josephine.\n\n“My "
     "gran sang it. Everybody's gran did, in this street.” He had gone rather red. “It's to keep "
     "the tide out. You sing it to the end and then you go to bed. Only nobody knows the end now, "
     "do they? Old Mister Aldous was the last.” He looked past her, down the dark hall, to where "
     "five notes were starting again. “Is that him?” he said. “Is he stuck?”\n\nJosephine looked "
     "at "
     "the key in her other hand. It was wet again, and this time it was salt."},
};

constexpr SampleChapter kSpring[] = {
    {"frost", "", 0, "Late Frost", "",
     "In the valley of Orr the seasons are carried over the pass by hand. Winter takes four strong "
     "men and a sledge. Autumn comes in baskets. Spring is the lightest of them, and by custom it "
     "is given to the youngest who can be trusted to walk slowly, and that year it was given to "
     "Wren.\n\nShe had it in her coat. It was about as heavy as a sleeping hen, and as warm, and "
     "from time to time it moved. She had been told three things: not to run, not to sing, and not "
     "to let it see its own reflection. The first two were easy, because of the snow.\n\nAt the "
     "top of the pass, where one sees both valleys, the tarn had not frozen. It lay there as black "
     "and flat as a plate. And Wren, who was eleven, and had carried it very carefully for two "
     "days, felt a small head come out from between her second and third buttons, and look down."},
    {"mirror", "frost", 1, "Two of Them",
     "It sees itself in the water, and then there is one spring in the coat and one in the tarn.",
     "There was no flash. Wren had expected one. The head in the water looked up at the head in "
     "the "
     "coat, with interest, and both of them sneezed.\n\nThen the tarn was empty, and on the stones "
     "at its edge, shaking off the wet, sat a second spring. It was exactly like the first except "
     "that its left was its right. Where it had put its feet there was moss, and the moss was "
     "blue.\n\n“Oh no,” said Wren. “Oh, go back. Please.”\n\nIt came to her at once. It was very "
     "tame. It climbed into the other side of her coat and turned around twice and lay down, and "
     "there she stood on top of the pass with one spring on her heart and another over her liver, "
     "and two valleys below her, white to the edge of the world, that had each been promised one."},
};

constexpr SampleStory kStories[] = {
    {0, "The Keeper of Gannet Rock",
     "A lighthouse goes dark for the first time in thirty-one years, and its keeper has to decide "
     "whether to follow the bell on the water or the wet prints on her own stairs.",
     "Fantasy", "PG", "PUBLISHED", kLighthouse},
    {1, "The Late Train to the Moon",
     "Every commuter on platform nine is told that the train is cancelled until somebody "
     "apologises. Nobody says who, or for what. A comedy about small debts and a long way up.",
     "Comedy", "G", "PUBLISHED", kStation},
    {2, "Eleven Locks",
     "A locksmith inherits a house from an uncle that she never had, with one condition: she must "
     "not open the piano, because it is asleep.",
     "Gothic", "PG_13", "PUBLISHED", kInheritance},
    {0, "The Girl Who Carried Spring",
     "In the valley of Orr the seasons are carried over the mountains by hand, and spring is given "
     "to an eleven-year-old with three simple rules. A short tale with two endings.",
     "Fairy Tale", "G", "COMPLETED", kSpring},
};

class Samples {
 public:
  Samples(const Mount& mount, std::span<const platform::Person> people)
      : runtime_(*mount.runtime),
        now_unix_ms_(mount.shared->clock->NowUnixMs()),
        editable_until_(EditableUntil(mount)),
        people_(people) {}

  Status AddPeople() {
    constexpr std::array<std::string_view, 3> kBios = {
        "Writes about weather, lighthouses and people who stay at their post.",
        "Takes the train. Collects excuses.",
        "Reads everything to the end, then writes another one."};
    for (std::size_t i = 0; i < people_.size(); ++i) {
      Record user = TextRecord({{"userId", people_[i].sub},
                                {"email", people_[i].email},
                                {"displayName", people_[i].name},
                                {"bio", kBios.at(i % kBios.size())}});
      const auto created = runtime_.Create(*runtime_.model().FindEntity("User"), user);
      // Who has looked in already has one.
      if (!created.ok() && created.error().code() != ErrorCode::kConditionalCheckFailed) {
        return created.error();
      }
    }
    return Ok();
  }

  Status AddStory(const SampleStory& story, std::size_t place) {
    const std::string story_id = fmt::format("sample-{}", place + 1);
    const SampleChapter& first = story.chapters.front();
    TRY(Run("createStory", TextRecord({{"storyId", story_id},
                                       {"nodeId", NodeId(story_id, first.name)},
                                       {"authorId", SubOf(story.author)},
                                       {"title", story.title},
                                       {"synopsis", story.synopsis},
                                       {"genre", story.genre},
                                       {"ageRating", story.rating},
                                       {"chapterTitle", first.title},
                                       {"content", first.content},
                                       {"editableUntil", editable_until_}})));
    TRY(SetStatus(story_id, "PUBLISHED", "publishedAt"));
    std::map<std::string_view, std::int64_t> children;
    std::map<std::string_view, std::int64_t> depths;
    for (const SampleChapter& chapter : story.chapters.subspan(1)) {
      depths[chapter.name] = depths[chapter.parent] + 1;
      Record branch = TextRecord({{"storyId", story_id},
                                  {"nodeId", NodeId(story_id, chapter.name)},
                                  {"parentNodeId", NodeId(story_id, chapter.parent)},
                                  {"authorId", SubOf(chapter.author)},
                                  {"title", chapter.title},
                                  {"content", chapter.content},
                                  {"editableUntil", editable_until_}});
      if (!chapter.hint.empty()) branch.SetText("branchDescription", chapter.hint);
      platform::SetBool(branch, "byStoryAuthor", chapter.author == story.author);
      platform::SetInteger(branch, "depth", depths[chapter.name]);
      platform::SetInteger(branch, "order", children[chapter.parent]++);
      TRY(Run("addBranch", branch));
    }
    TRY(AddReaders(story, story_id));
    return story.status == "COMPLETED" ? SetStatus(story_id, "COMPLETED", "completedAt") : Ok();
  }

 private:
  // Everybody reads everything, likes what others wrote, and stops at the last chapter.
  Status AddReaders(const SampleStory& story, const std::string& story_id) {
    constexpr std::array<std::string_view, 3> kComments = {
        "The last line made me put the kettle on. Somebody please go on from here.",
        "I wanted the other branch first, and I was wrong.",
        "More of this one! I would not have opened the door."};
    const std::string today = TimeText(now_unix_ms_).substr(0, 10);
    for (std::size_t reader = 0; reader < people_.size(); ++reader) {
      for (const SampleChapter& chapter : story.chapters) {
        const std::string node = NodeId(story_id, chapter.name);
        Record mine =
            TextRecord({{"userId", SubOf(reader)}, {"storyId", story_id}, {"nodeId", node}});
        TRY(Run("readChapter", mine));
        if (chapter.author == reader) continue;
        mine.SetText("voteType", "UPVOTE");
        mine.SetText("before", "NONE");
        mine.SetText("date", today);
        platform::SetInteger(mine, "upvotes", 1);
        if ((reader + chapter.name.size()) % 3 != 0) TRY(Run("castVote", mine));
      }
      TRY(Run("setBookmark",
              TextRecord({{"userId", SubOf(reader)},
                          {"storyId", story_id},
                          {"currentNodeId", NodeId(story_id, story.chapters.back().name)}})));
      const auto commented =
          runtime_.Create(*runtime_.model().FindEntity("StoryComment"),
                          TextRecord({{"storyId", story_id},
                                      {"nodeId", NodeId(story_id, story.chapters[reader % 2].name)},
                                      {"authorId", SubOf(reader)},
                                      {"text", kComments.at(reader % kComments.size())}}));
      if (!commented.ok()) return commented.error();
    }
    return Ok();
  }

  Status SetStatus(const std::string& story_id, std::string_view status, std::string_view time) {
    Changes changes;
    platform::SetText(changes, "status", status);
    platform::SetText(changes, time, TimeText(now_unix_ms_));
    const auto changed = runtime_.Update(*runtime_.model().FindEntity("Story"),
                                         TextRecord({{"storyId", story_id}}), changes);
    return changed.ok() ? Ok() : Status(changed.error());
  }

  Status Run(std::string_view operation, const Record& arguments) {
    const auto done = runtime_.Run(*runtime_.model().FindOperation(operation), arguments);
    return done.ok() ? Ok() : Status(done.error());
  }

  static std::string NodeId(const std::string& story_id, std::string_view name) {
    return fmt::format("{}-{}", story_id, name);
  }
  [[nodiscard]] const std::string& SubOf(std::size_t person) const {
    return people_[person % people_.size()].sub;
  }

  design::Runtime& runtime_;
  const std::int64_t now_unix_ms_;
  const std::string editable_until_;
  const std::span<const platform::Person> people_;
};

}  // namespace

Status LoadSamples(const Mount& mount, std::span<const platform::Person> people) {
  Samples samples(mount, people);
  TRY(samples.AddPeople());
  for (std::size_t i = 0; i < std::size(kStories); ++i)
    TRY(samples.AddStory(kStories[i], i));
  return LoadLongSample(mount, people);
}

}  // namespace trestle::apps::stories
