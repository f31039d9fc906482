package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.policy.route.EncodedSlashes.NO_DECODE;
import static portcullis.policy.route.EncodedSlashes.OFF;
import static portcullis.policy.route.EncodedSlashes.ON;
import static portcullis.policy.route.PathParameter.Type.EXACT;
import static portcullis.policy.route.PathParameter.Type.GLOB;
import static portcullis.policy.route.PathParameter.Type.REGEX;
import static portcullis.policy.route.RuleText.found;
import static portcullis.policy.route.RuleText.get;
import static portcullis.policy.route.RuleText.rule;

import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problems;

class EncodedSlashesTest {
  @Test
  void capturesAreDecodedOnceAndSlashesAsTheRuleSays() {
    for (List<String> row : List.of(List.of("a%20b", "a b", "a b", "a b"), List.of("a+b", "a+b", "a+b", "a+b"),
        List.of("a%2Fb", "a%2Fb", "a/b", "a%2Fb"), List.of("a%252Fb", "a%2Fb", "a%2Fb", "a%2Fb"),
        List.of("100%25", "100%", "100%", "100%"), List.of("caf%C3%A9", "caf\u00e9", "caf\u00e9", "caf\u00e9"),
        List.of("%F0%9F%8F%99", "\ud83c\udfd9", "\ud83c\udfd9", "\ud83c\udfd9"),
        List.of("%FF", "\ufffd", "\ufffd", "\ufffd"))) {
      RouteIndex<String> index = RuleText.index(rule("off").path("/off/:n"), rule("on").slashes(ON).path("/on/:n"),
          rule("keep").slashes(NO_DECODE).path("/keep/:n"));
      assertEquals(row.get(1), index.find(get("/off/" + row.getFirst())).orElseThrow().captures().get("n"));
      assertEquals(row.get(2), index.find(get("/on/" + row.getFirst())).orElseThrow().captures().get("n"));
      assertEquals(row.get(3), index.find(get("/keep/" + row.getFirst())).orElseThrow().captures().get("n"));
    }
  }

  @Test
  void onlyOffRefusesThem() {
    assertFalse(OFF.allows("/a%2Fb"));
    assertTrue(OFF.allows("/a%252Fb"));
    assertTrue(ON.allows("/a%2Fb") && NO_DECODE.allows("/a%2Fb"));
  }

  @Test
  void anEncodedSlashIsNeverASeparator() {
    RouteIndex<String> index = RuleText.index(rule("one").slashes(ON).path("/:a"),
        rule("two").slashes(ON).path("/:a/:b"),
        rule("literal").slashes(ON).path("/x%2fy"));
    assertEquals("one", found(index, get("/a%2Fb")));
    assertEquals("two", found(index, get("/a/b")));
    assertEquals("literal", found(index, get("/x%2Fy")));
  }

  @Test
  void parametersSeeCapturesAsTheRuleSays() {
    RouteIndex<String> index = RuleText.index(
        rule("off").where("n", EXACT, "a%20b").path("/off/:n"),
        rule("off-hex").where("n", EXACT, "%c3%a9%7E").path("/off-hex/:n"),
        rule("off-rest").where("n", EXACT, "a/b").path("/off-rest/*n"),
        rule("off-any").where("n", REGEX, ".*").path("/off-any/:n/*rest"),
        rule("on").slashes(ON).where("n", EXACT, "red/blue").path("/on/:n"),
        rule("keep").slashes(NO_DECODE).where("n", REGEX, "^red%2Fblue x$").path("/keep/:n"),
        rule("glob").slashes(ON).where("n", GLOB, "*.txt").path("/glob/:n"));
    for (List<String> row : List.of(List.of("/off/a%20b", "off"), List.of("/off/a+b", "-"),
        List.of("/off-hex/%C3%A9~", "off-hex"),
        List.of("/off-rest/a/b", "off-rest"),
        List.of("/off-any/x/y", "off-any"), List.of("/off-any/x/a%2Fb", "-"), List.of("/on/red%2Fblue", "on"),
        List.of("/on/red%252Fblue", "-"), List.of("/keep/red%2Fblue%20x", "keep"), List.of("/glob/a.txt", "glob"),
        List.of("/glob/a%2Fb.txt", "-"), List.of("/glob/%C3%BC.txt", "glob"))) {
      assertEquals(row.getLast(), found(index, get(row.getFirst())), row.getFirst());
    }
  }

  @Test
  void saysThatAValueCanNeverOccur() {
    Problems problems = new Problems();
    new RuleText("r", problems).where("n", EXACT, "a b").path("/:n");
    new RuleText("s", problems).slashes(ON).where("n", EXACT, "a b").path("/:n");
    assertEquals(List.of("r.yaml:1:1: warning: `a b` never occurs: without `allow_encoded_slashes` captures are "
        + "compared "
        + "percent-encoded, write `a%20b`"), RuleText.texts(problems));
  }

  @Test
  void refusesParametersOfWildcardsThatAreNotThere() {
    Problems problems = new Problems();
    new RuleText("r", problems).where("nmae", EXACT, "a").path("/:name");
    new RuleText("r", problems).where("*", EXACT, "a").path("/**");
    new RuleText("r", problems).where("n", REGEX, "(").path("/:n");
    new RuleText("r", problems).where("n", GLOB, "[").path("/:n");
    assertEquals(List.of("r.yaml:1:1: `/:name` has no wildcard `nmae`, did you mean `name`?",
        "r.yaml:1:1: `*` captures nothing, name the wildcard, and write its name here",
        "r.yaml:1:1: invalid regular expression `(`: missing closing ), write it in RE2 syntax",
        "r.yaml:1:1: invalid glob `[`: `[` is never closed, write `\\[` for the character, or close the class with "
            + "`]`"),
        RuleText.texts(problems));
  }
}
