package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the pages say about the program is proven: each promise of the security page, each difference of the migration
 * page, each attack of the pages of credentials, each sentence of the README and those of other pages that promise
 * something have a row that names tests, and these exist.
 */
class PromisesTest {
  private static final Path DOCS = Path.of("config/docs");
  private static final String PROVEN = "Proven by";
  private static final String ATTACKS = "Attacks on logins and credentials";
  private static final String DIFFERENCES = "Differences from heimdall";
  private static final String LISTED = "What the list of pages says";
  private static final Pattern PROMISE = Pattern.compile("^(?:- )?\\*\\*([^*]+?)[.,:]?\\*\\*", Pattern.MULTILINE);
  private static final Pattern TEST = Pattern.compile("`([a-z0-9/]+)/(\\w+)\\.(\\w+)`");
  private static final Pattern CASE = Pattern.compile("`conformance/([a-z0-9/-]+)`");
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=\\.)\\s+(?=[A-Z`])");
  private static final Pattern BLOCK_END = Pattern.compile("\\n\\s*\\n|\\n(?=\\s*(?:- |\\||\\d+\\. |#))");
  private static final Pattern CLAUSE_END = Pattern.compile("(?<=[.:])\\s+(?=[A-Z`*])");
  private static final Pattern FIRM = Pattern.compile("\\b(never|at most|refused|always|lost|nobody)\\b");
  private static final Pattern CODE = Pattern.compile("`[^`]*`");
  private static final Set<String> README_SECTIONS = Set.of("What it is", "The demonstration", "Running it",
      "Without a network");

  private static String page(String name) throws IOException {
    return Files.readString(DOCS.resolve(name));
  }

  /** The text of each section without its blocks of code, by title. */
  private static Map<String, String> sections(String page) {
    Map<String, String> sections = new LinkedHashMap<>();
    String prose = page.replaceAll("(?ms)^```.*?^```$", "");
    for (String section : prose.split("(?m)^## ")) {
      int end = section.indexOf('\n');
      sections.put(section.substring(0, end), section.substring(end));
    }
    return sections;
  }

  /** The cells of each row of the tables in a section, without heads. */
  private static List<List<String>> rows(String section) {
    List<List<String>> rows = new ArrayList<>();
    boolean body = false;
    for (String line : section.lines().toList()) {
      if (!line.startsWith("|")) {
        body = false;
      } else if (line.startsWith("| ---")) {
        body = true;
      } else if (body) {
        rows.add(Arrays.stream(line.substring(1, line.length() - 1).split("(?<!\\\\)\\|")).map(String::strip).toList());
      }
    }
    return rows;
  }

  /** What is proven on a page, in order. */
  private static List<String> proven(String page) {
    return rows(sections(page).get(PROVEN)).stream().map(List::getFirst).toList();
  }

  @Test
  void everySecurityPromiseNamesTests() throws IOException {
    String page = page("security.md");
    List<String> promises = PROMISE.matcher(page).results().map(found -> found.group(1)).toList();
    assertFalse(promises.isEmpty());
    assertEquals(promises, proven(page));
  }

  @Test
  void everyDifferenceNamesTests() throws IOException {
    String page = page("migration.md");
    String dashboards = "What dashboards query";
    List<String> differences = new ArrayList<>();
    sections(page).forEach((title, text) -> {
      if (!title.equals(dashboards)) {
        rows(text).forEach(row -> differences.add(row.getFirst()));
      }
    });
    assertTrue(differences.size() > 100, differences::toString);
    differences.add(dashboards);
    List<List<String>> named = rows(sections(page("promises.md")).get(DIFFERENCES));
    assertEquals(differences, named.stream().map(List::getFirst).toList());
  }

  @Test
  void everySentenceOfTheReadmeNamesTests() throws IOException {
    List<String> sentences = new ArrayList<>();
    sections(Files.readString(Path.of("README.md"))).forEach((title, text) -> {
      if (README_SECTIONS.contains(title)) {
        for (String paragraph : text.strip().split("\n\n+")) {
          sentences.addAll(List.of(SENTENCE_END.split(paragraph.replaceAll("\\s+", " "))));
        }
      }
    });
    List<String> begins = proven(page("promises.md"));
    assertEquals(sentences.size(), begins.size(), () -> String.join("\n", sentences));
    for (int i = 0; i < begins.size(); i++) {
      assertTrue(sentences.get(i).startsWith(begins.get(i)), begins.get(i) + " is not how this begins: " + sentences
          .get(i));
    }
  }

  @Test
  void claimsOfTheListOfPagesNameTests() throws IOException {
    String claims = sections(Files.readString(Path.of("README.md"))).get("Documentation");
    List<String> named = rows(sections(page("promises.md")).get(LISTED)).stream().map(List::getFirst).toList();
    assertFalse(named.isEmpty());
    assertEquals(List.of(), named.stream().filter(claim -> !claims.contains(claim)).toList());
    List<String> all = claims.lines().filter(line -> line.matches(".*\\b(all|every|each) .*")).toList();
    assertEquals(List.of(), all.stream().filter(line -> named.stream().noneMatch(line::contains)).toList());
  }

  @Test
  void everyAttackNamesTests() throws IOException {
    List<String> attacks = new ArrayList<>();
    for (String name : List.of("login.md", "bound-tokens.md", "client-certificates.md", "api-keys.md",
        "passwords.md", "limits.md")) {
      rows(sections(page(name)).get("What it protects against")).forEach(row -> attacks.add(row.getFirst()));
    }
    assertTrue(attacks.size() > 20, attacks::toString);
    assertEquals(attacks, rows(sections(page("promises.md")).get(ATTACKS)).stream().map(List::getFirst).toList());
  }

  /** The sections of the pages of promises, by the name of the page that they are about. */
  private static Map<String, String> promised() throws IOException {
    Map<String, String> promised = new TreeMap<>();
    try (Stream<Path> pages = Files.list(DOCS.resolve("promises"))) {
      for (Path page : pages.sorted().toList()) {
        assertTrue(page("promises.md").contains("(promises/" + page.getFileName() + ")"), page + " is not listed");
        sections(Files.readString(page)).forEach((title, text) -> {
          if (title.endsWith(".md")) {
            promised.put(title, text);
          }
        });
      }
    }
    return promised;
  }

  /** The sentences of a page, with each row of its tables as one. */
  private static List<String> sentences(String page) {
    List<String> sentences = new ArrayList<>();
    String prose = page.replaceAll("(?ms)^ *```.*?^ *```$", "").replaceAll("(?m)^ {4}.*$", "");
    for (String block : BLOCK_END.split(prose)) {
      String text = block.replaceAll("\\s+", " ").strip();
      if (text.startsWith("|")) {
        sentences.add(text);
      } else if (!text.startsWith("#")) {
        sentences.addAll(List.of(CLAUSE_END.split(text)));
      }
    }
    return sentences;
  }

  @Test
  void promisesOfOtherPagesAreTheirWords() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, String> section : promised().entrySet()) {
      String page = page(section.getKey()).replaceAll("\\s+", " ");
      int from = 0;
      for (List<String> row : rows(section.getValue())) {
        int at = page.indexOf(row.getFirst(), from);
        if (at < 0) {
          wrong.add(section.getKey() + ": " + row.getFirst());
        } else {
          from = at;
        }
      }
    }
    assertEquals(List.of(), wrong, "is not there, or not in this order");
  }

  @Test
  void firmSentencesOfOtherPagesNameTests() throws IOException {
    List<String> unproven = new ArrayList<>();
    for (Map.Entry<String, String> section : promised().entrySet()) {
      List<String> begins = rows(section.getValue()).stream().map(List::getFirst).toList();
      for (String sentence : sentences(page(section.getKey()))) {
        if (FIRM.matcher(CODE.matcher(sentence).replaceAll("")).find()
            && begins.stream().noneMatch(sentence::contains)) {
          unproven.add(section.getKey() + ": " + sentence);
        }
      }
    }
    assertEquals(List.of(), unproven);
  }

  @Test
  void testsOfOtherPagesExist() throws IOException {
    List<String> missing = new ArrayList<>();
    for (Map.Entry<String, String> section : promised().entrySet()) {
      missing.addAll(missing(section.getValue()));
    }
    assertEquals(List.of(), missing);
  }

  private static List<String> missing(String section) throws IOException {
    List<String> missing = new ArrayList<>();
    for (List<String> row : rows(section)) {
      for (String test : row.get(1).split(", ")) {
        if (!exists(test)) {
          missing.add(row.getFirst() + ": " + test);
        }
      }
    }
    return missing;
  }

  @ParameterizedTest
  @CsvSource({"security.md," + PROVEN, "promises.md," + DIFFERENCES, "promises.md," + PROVEN, "promises.md," + ATTACKS,
    "promises.md," + LISTED})
  void namedTestsExist(String name, String section) throws IOException {
    assertEquals(List.of(), missing(sections(page(name)).get(section)));
  }

  private static boolean exists(String named) throws IOException {
    Matcher conformance = CASE.matcher(named);
    if (conformance.matches()) {
      return Files.exists(Path.of("test/conformance/cases", conformance.group(1), "case.json"));
    }
    Matcher test = TEST.matcher(named);
    if (!test.matches()) {
      return false;
    }
    Path file = Path.of("test/portcullis", test.group(1), test.group(2) + ".java");
    return Files.exists(file) && Files.readString(file).contains("  void " + test.group(3) + "(");
  }
}
