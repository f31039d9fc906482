package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.config.Decoders;
import portcullis.config.Yaml;
import portcullis.fixture.Expected;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

/**
 * Which patterns of paths, hosts, methods and captures are refused or warned of: where, why, and what would be right.
 */
class PatternProblemsTest {
  /** For each problem the columns that it is about, and what it says; {@code ok} where there is none. */
  private static String table(Compiler compiler, String... patterns) {
    List<String> out = new ArrayList<>();
    for (String pattern : patterns) {
      Problems problems = new Problems();
      compiler.compile(RuleText.written(pattern), problems);
      List<String> lines = problems.sorted().stream().map(PatternProblemsTest::line).toList();
      (lines.isEmpty() ? List.of("ok") : lines).forEach(line -> out.add(pattern + " | " + line));
    }
    return out.stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  private interface Compiler {
    void compile(LocatedText text, Problems problems);
  }

  private static String line(Problem problem) {
    Origin.InFile at = (Origin.InFile) problem.at();
    return at.column() + "+" + at.length() + " " + (problem.isError() ? "" : "warning: ") + problem.message()
        + (problem.hint().isEmpty() ? "" : "; " + problem.hint());
  }

  @Test
  void pathPatterns() {
    Expected.assertSection("patterns.txt", "paths",
        table(PathPattern::compile, "", "a/b", "/", "/a", "/a/", "/a//b", "//", "/:a/:b", "/:a/:a", "/:*/:*/**", "/:/b",
            "/*", "/:",
            "/*rest/x", "/**/x/y", "/:a.b", "/:a_b-1", "/*a+", "/\\:a", "/\\*", "/\\\\x", "/\\x", "/\\", "/{id}", "/{}",
            "/a*", "/*", "/\\*x*", "/a**/b",
            "/a?b", "/x/a#b", "/100%", "/%2", "/%zz", "/%41", "/.", "/a/../b", "/%2e", "/..a", "/a%5Cb", "/%00"));
  }

  @Test
  void hosts() {
    Expected.assertSection("patterns.txt", "exact hosts",
        table((text, problems) -> HostPattern.compile(HostPattern.Type.EXACT, text, problems), "", "a.test", "*.a.test",
            "a.*.test", "a b", "a.test:0", "a.test:80", "a.test:65536",
            "[::1]", "[::1", "b\u00fccher.test", "fa\u00df.test", "\u2260\u0338", "a..b", "user@a"));
  }

  @Test
  void wildcardsOfHosts() {
    Expected.assertSection("patterns.txt", "wildcard hosts",
        table((text, problems) -> HostPattern.compile(HostPattern.Type.WILDCARD, text, problems), "*", "*.a.test",
            "*.a.test:81", "a*.test", "*a.test", "a.*", "*.*.test", "*.", "**", "a.test", "*.b\u00fccher.test",
            "*.fa\u00df.test"));
  }

  @Test
  void globsAndExpressionsOfHosts() {
    Expected.assertSection("patterns.txt", "glob hosts",
        table((text, problems) -> HostPattern.compile(HostPattern.Type.GLOB, text, problems), "{a,b}.test", "[", "[a",
            "[!", "[!a", "[a-", "[a-z", "[a-]", "[a-zx]", "[z-a]", "[a-a]", "[]", "[!]", "[\\]]", "[ab\\]", "[-a]",
            "\\", "a\\", "{a", "{a,{b}", "{a,b},c}", "x,y}", "{".repeat(51), "{".repeat(50) + "}".repeat(50)));
    Expected.assertSection("patterns.txt", "regex hosts",
        table((text, problems) -> HostPattern.compile(HostPattern.Type.REGEX, text, problems), "^a$", "(", "a(?=b)"));
  }

  @Test
  void problemsOfGlobsNameTheirPlace() {
    Problems problems = new Problems();
    assertEquals(Optional.empty(), Yaml.read(new SourceFile("r.yaml", "['a', '[X']"), problems)
        .flatMap(node -> Decoders.list(Decoders.located()).decode(node, problems)).map(List::getLast)
        .flatMap(text -> HostPattern.compile(HostPattern.Type.GLOB, text, problems)));
    assertEquals("[1]", problems.sorted().getFirst().path());
  }

  @Test
  void methods() {
    Expected.assertSection("patterns.txt", "methods", table(
        (text, problems) -> MethodSet.compile(Arrays.stream(text.text().split(" ", -1)).map(RuleText::written).toList(),
            problems),
        "GET", "", "ALL !GET", "!ALL", "GET !GET", "get", "!get ALL", "all", "Purge", "!#$%&'*+-.^_`|~azAZ09", "a/b",
        "a{", "a@", "a[", "a:",
        "!", "!!"));
  }

  @Test
  void conditionsOnCaptures() {
    Compiler exact = (text, problems) -> PathParameter.compile(RuleText.written("id"), PathParameter.Type.EXACT, text,
        EncodedSlashes.OFF, problems);
    Expected.assertSection("patterns.txt", "exact captures",
        table(exact, "a", "a b", "%61", "%2f", "a%2Fb", "\u00fc", "%C3%BC", "%zz"));
    Expected.assertSection("patterns.txt", "names of captures", table((name, problems) -> PathParameter.compile(name,
        PathParameter.Type.REGEX, RuleText.written("("), EncodedSlashes.ON, problems), "id", "*"));
    Expected.assertSection("patterns.txt", "glob captures", table((value, problems) -> PathParameter
        .compile(RuleText.written("id"), PathParameter.Type.GLOB, value, EncodedSlashes.ON, problems), "a*", "[a"));
  }
}
