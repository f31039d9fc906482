package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

class PathPatternTest {
  @Test
  void saysWhatIsWrongWithAPathAndWhere() {
    assertError("", "1+1 the path is empty, write `/`");
    assertError("foo", "1+3 `foo` does not begin with a slash, write `/foo`");
    assertError(":x", "1+2 `:x` does not begin with a slash, write `/:x`");
    assertError("/a/**/b", "4+2 `/b` follows the free wildcard `**`, which takes all that is left, "
        + "let it be the last, or write `:name` for a single segment");
    assertError("/abc/*path/", "6+5 `/` follows the free wildcard `*path`, which takes all that is left, "
        + "let it be the last, or write `:name` for a single segment");
    assertError("/a//b", "3+2 an empty segment never occurs: slashes in a row count as one, write one `/`");
    assertError("/a/../b", "4+2 the dot segment `..` never occurs: it is resolved before rules are matched, "
        + "write the path without it");
    assertError("/a/%2e", "4+3 the dot segment `%2e` never occurs: it is resolved before rules are matched, "
        + "write the path without it");
    assertError("/a?b=c%",
        "3+1 `?` is not allowed in a path: rules see neither query nor fragment, write `%3F` for the "
            + "character");
    assertError("/a/b#c", "5+1 `#` is not allowed in a path: rules see neither query nor fragment, write `%23` for the "
        + "character");
    assertError("/100%", "5+1 `%` does not begin an escape, write `%25` for the character");
    assertError("/a%2", "3+1 `%` does not begin an escape, write `%25` for the character");
    assertError("/:a/b/:a", "8+1 two wildcards of one path are named `a`, give each its own name");
    assertError("/:a/*a", "6+1 two wildcards of one path are named `a`, give each its own name");
    assertError("/x".repeat(1001), "2002+1 the path has more than 1000 segments");
  }

  @Test
  void warnsOfPathsThatLookAsIfSomethingElseWasMeant() {
    assertError("/a/*.jpg", "4+5 warning `*.jpg` is a wildcard with the name `.jpg`, "
        + "write `\\*.jpg` to mean these characters");
    assertError("/:x:y", "2+4 warning `:x:y` is a wildcard with the name `x:y`, write `\\:x:y` to mean these "
        + "characters");
    assertError("/a/*", "4+1 warning the wildcard `*` has the empty name, write `**` for one without name");
    assertError("/a/:", "4+1 warning the wildcard `:` has the empty name, write `:*` for one without name");
    assertError("/a/{id}", "4+4 warning `{id}` is not a wildcard, write `:id`");
    assertError("/api*", "2+4 warning the `*` of `api*` is not a wildcard: it does not begin the segment, "
        + "write `/**` for all that is left of a path");
    assertError("/a/%00", "4+3 warning `%00` never occurs: paths that have it are refused");
    assertError("/a/..;x", "4+4 warning `..;x` never occurs: paths that have it are refused");
  }

  @Test
  void acceptsWhatRulesAreMadeOf() {
    for (String path : List.of("/", "/a", "/a/", "/:a", "/*a", "/**", "/:*/x", "/a/:b/*c", "/\\:a", "/\\*a", "/a:b*c",
        "/v1.0/a.b", "/a b", "/stra\u00dfe/:no", "/a%2Fb", "/.well-known/x", "/a;b=c", "/:some-name/:other_name")) {
      Problems problems = new Problems();
      PathPattern.compile(RuleText.written(path), problems);
      assertEquals(List.of(), RuleText.texts(problems), path);
    }
  }

  @Test
  void literalsAreSpelledAsPathsOfRequestsAre() throws ResponseStatusException {
    for (Map.Entry<String, String> row : Map.of("/%61dmin", "/admin", "/caf%c3%a9", "/caf%C3%A9",
        "/caf\u00e9", "/caf%C3%A9", "/a b", "/a%20b", "/a%3bb", "/a%3Bb", "/a%40%21%7e", "/a@!~", "/a;b", "/a;b",
        "/[x]", "/%5Bx%5D",
        "/\ud83c\udfd9", "/%F0%9F%8F%99", "/a%2fb", "/a%2Fb").entrySet()) {
      String literal = "/" + ((Segment.Literal) pattern(row.getKey()).segments().getFirst()).text();
      assertEquals(row.getValue(), literal);
      assertEquals(RequestPath.read(row.getValue()).canonical(), literal);
    }
  }

  /**
   * Whatever octets a client escapes or not: what the request's path says is what a rule of that spelling says.
   */
  @Test
  void everyOctetIsSpelledLikeInRequests() throws ResponseStatusException {
    for (int octet = 0; octet < 256; octet++) {
      for (String escape : List.of("%%%02x", "%%%02X")) {
        String path = "/a" + escape.formatted(octet) + "b";
        if (octet != 0 && octet != '\\') {
          assertEquals(RequestPath.read(path).canonical(), "/"
              + ((Segment.Literal) pattern(path).segments().getFirst()).text());
        }
      }
    }
  }

  @Test
  void namesAreThoseOfItsWildcards() {
    assertEquals(List.of("a", "x:y", "rest"), pattern("/:a/:*/:x:y/b/*rest").names());
    assertEquals(List.of(), pattern("/\\:a/**").names());
    assertEquals(List.of(""), pattern("/a/*").names());
  }

  @Test
  void knowsWhetherALiteralHasABackslash() {
    assertTrue(pattern("/a/b%5Cc/:d").hasBackslash());
    assertTrue(pattern("/a/b%5cc").hasBackslash());
    assertFalse(pattern("/a/%5B/:x%5Cy/**").hasBackslash());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
      /a/b    | /a/b    | x,y   | a,b
      /a/b    | /a/c    | x,y   | none
      /a/b    | /a      | x,y   | none
      /a/:b   | /:c/d   | x,y   | a,d
      /:a/:b  | /:c/:d  | x,y   | x,y
      /:a/:b  | /:c/:d  | x     | x,1
      /a/**   | /a/b/:c | x,y,z | a,b,z
      /a/**   | /:b     | x,y   | none
      /**     | /a/b    | x,y   | a,b
      /**     | /       | x     | none
      /a      | /a/**   | x     | none
      """)
  void hasAPathThatBothPatternsMatch(String one, String other, String values, String expected) {
    Optional<List<String>> wanted = Optional.ofNullable(expected).map(text -> List.of(text.split(",")));
    List<String> open = List.of(values.split(","));
    assertEquals(wanted, pattern(one).common(pattern(other), open));
    assertEquals(wanted, pattern(other).common(pattern(one), open));
  }

  private static PathPattern pattern(String text) {
    return PathPattern.compile(RuleText.written(text), new Problems()).orElseThrow();
  }

  private static void assertError(String path, String expected) {
    Problems problems = new Problems();
    boolean compiled = PathPattern.compile(RuleText.written(path), problems).isPresent();
    Problem problem = problems.sorted().getFirst();
    Origin.InFile at = (Origin.InFile) problem.at();
    assertEquals(expected, at.column() + "+" + at.length() + (problem.isError() ? " " : " warning ") + problem.message()
        + (problem.hint().isEmpty() ? "" : ", ") + problem.hint());
    assertEquals(1, problems.sorted().size(), path);
    assertEquals(!problem.isError(), compiled, path);
  }
}
