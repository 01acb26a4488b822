#include "apps/stories/markdown.h"

#include <gtest/gtest.h>

namespace trestle::apps::stories {
namespace {

TEST(StoryMarkdown, ParagraphsKeepTheirLines) {
  EXPECT_EQ(MarkdownToHtml("one\ntwo\n\nthree"), "<p>one<br/>\ntwo</p>\n<p>three</p>\n");
  EXPECT_EQ(MarkdownToHtml(""), "");
}

TEST(StoryMarkdown, HtmlIsShownAndNeverRun) {
  EXPECT_EQ(MarkdownToHtml("<script>alert('x')</script>"),
            "<p>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</p>\n");
  EXPECT_EQ(MarkdownToHtml("[x](javascript:alert)"), "<p>[x](javascript:alert)</p>\n");
  EXPECT_EQ(MarkdownToHtml("[a\"b](https://example.org/\"x)"),
            "<p><a href=\"https://example.org/&quot;x\">a&quot;b</a></p>\n");
}

TEST(StoryMarkdown, WordsAreEmphasised) {
  EXPECT_EQ(MarkdownToHtml("a *b* **c** _d_ `e*f*`"),
            "<p>a <em>b</em> <strong>c</strong> <em>d</em> <code>e*f*</code></p>\n");
  EXPECT_EQ(MarkdownToHtml("2 * 3 * 4, **"), "<p>2 * 3 * 4, **</p>\n");
}

TEST(StoryMarkdown, BlocksAreTold) {
  EXPECT_EQ(MarkdownToHtml("# H\n- a\n- b\n1. c\n> q\n> r\n---\n#no"),
            "<h3>H</h3>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol>\n<li>c</li>\n</ol>\n"
            "<blockquote><p>q<br/>\nr</p></blockquote>\n<hr/>\n<p>#no</p>\n");
}

}  // namespace
}  // namespace trestle::apps::stories
