package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

class GlobTest {
  @Test
  void matchesLikeTheGoLibraryWithinItsGrammar() {
    assertEquals(List.of(), GlobRows.report().misses());
  }

  @Test
  void saysWhereAGlobIsBroken() {
    assertEquals("invalid glob `[c-a].com`: the range ends before it begins at 1+5", error("[c-a].com"));
    assertEquals("invalid glob `xy[c-a].com`: the range ends before it begins at 3+5", error("xy[c-a].com"));
    assertEquals("invalid glob `a[b`: `[` is never closed at 2+2", error("a[b"));
    assertEquals("invalid glob `a[b-`: `[` is never closed at 2+3", error("a[b-"));
    assertEquals("invalid glob `[]x`: an empty class fits nothing at 1+2", error("[]x"));
    assertEquals("invalid glob `x[a-cx-z]`: a class holds one range or a list, not both at 2+5", error("x[a-cx-z]"));
    assertEquals("`{` is never closed at 2+1", error("a{b,c"));
    assertTrue(error("{".repeat(10_000)).contains("braces are nested more than 50 deep"));
  }

  private static String error(String text) {
    Problems problems = new Problems();
    Glob.compile(RuleText.written(text), '.', problems);
    Problem first = problems.sorted().getFirst();
    var at = (portcullis.lang.source.Origin.InFile) first.at();
    return first.message() + " at " + at.column() + "+" + at.length();
  }

  @Test
  void takesLinearTimeOnHostileStrings() { // S50
    Glob stars = glob("*a*a*a*a*a*a*a*a*a*a*a*b");
    Glob braces = glob("{{{a,aa},{a,aaa}},a}".repeat(10) + "**b");
    String text = "a".repeat(50_000);
    long start = System.nanoTime();
    assertFalse(stars.matches(text));
    assertFalse(braces.matches(text));
    assertTrue(System.nanoTime() - start < Duration.ofSeconds(10).toNanos());
  }

  @Test
  void equalPatternsAndSeparatorsAreEqual() {
    assertEquals(glob("a*"), glob("a*"));
    assertFalse(glob("a*").equals(glob("a**")));
    assertFalse(glob("a*").equals(Glob.compile(RuleText.written("a*"), '.', new Problems()).orElseThrow()));
  }

  private static Glob glob(String text) {
    return Glob.compile(RuleText.written(text), '/', new Problems()).orElseThrow();
  }
}
