package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EdgesTest {
  private final Random random = new Random(4);

  /** Some texts, each leading somewhere else, beside those of other forks. */
  private static final class Table {
    private final Map<String, RouteNode<String>> ways = new LinkedHashMap<>();
    private final Edges.Rows rows;
    private final Edges<String> edges;

    Table(List<String> texts) {
      texts.forEach(text -> ways.put(text, new Candidates.Several<>(List.of())));
      Edges.Builder<String> builder = new Edges.Builder<>();
      builder.texts(Map.of("before", new Candidates.Several<>(List.of())));
      rows = builder.texts(ways);
      builder.texts(Map.of("behind", new Candidates.Several<>(List.of())));
      edges = builder.built();
    }

    /** The whole text that leads to the row that is found for it, or {@code -}. */
    String found(String text) {
      byte[] path = Octets.of("/" + text);
      int row = edges.first(rows, Octets.hash(path, 1, path.length), path, 1);
      while (row != Edges.NONE && edges.length(row) < text.length()) {
        row = edges.next(row, rows, path, 1);
      }
      int last = row;
      return row == Edges.NONE ? "-"
          : ways.entrySet().stream().filter(e -> e.getValue() == edges.kind(last)).findFirst()
              .map(Map.Entry::getKey).orElse("another fork's");
    }
  }

  @Test
  void findsEachOfManyStringsAndNoOther() {
    for (int count : List.of(0, 1, 2, 3, 7, 64, 1000)) {
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        texts.add("t" + i);
      }
      Table table = new Table(texts);
      texts.forEach(text -> assertEquals(text, table.found(text)));
      for (String other : List.of("", "t", "t-1", "t" + count, "before", "behind", "u1")) {
        assertEquals("-", table.found(other));
      }
    }
  }

  @Test
  void comparesStringsOfAnyLengthToTheirEnd() {
    String all = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    List<String> texts = new ArrayList<>();
    for (int length = 0; length < all.length(); length++) {
      texts.add(all.substring(0, length));
    }
    Table table = new Table(texts);
    for (String text : texts) {
      assertEquals(text, table.found(text));
      for (int at = 0; at < text.length(); at++) {
        assertEquals("-", table.found(text.substring(0, at) + "#" + text.substring(at + 1)), text + " but at " + at);
      }
    }
  }

  @Test
  void distinguishesStringsWithTheSameHash() {
    for (int i = 0; i < 100; i++) {
      String one = octets(random.nextLong()) + octets(random.nextLong());
      String two = ofSameHash(one, random.nextLong());
      assertEquals(Octets.hash(Octets.of(one)), Octets.hash(Octets.of(two)));
      assertNotEquals(one, two);
      assertEquals("-", new Table(List.of(one)).found(two));
      Table both = new Table(List.of(one, two, "c"));
      assertEquals(List.of(one, two, "c"), List.of(both.found(one), both.found(two), both.found("c")));
    }
  }

  /**
   * Another text of sixteen octets, which begins with that word: the second word makes good what the first one changed.
   */
  private static String ofSameHash(String text, long first) {
    byte[] octets = Octets.of(text);
    byte[] other = Octets.of(octets(first) + text.substring(8));
    long after = after(octets);
    return octets(first) + octets(Octets.word(octets, 8, 16) ^ after ^ after(other));
  }

  /** What {@link Octets#hash} has after the first of two words. */
  private static long after(byte[] text) {
    long product = (16 ^ Octets.word(text, 0, 8)) * 0xFF51_AFD7_ED55_8CCDL;
    return product ^ product >>> 32;
  }

  private static String octets(long word) {
    byte[] out = new byte[8];
    for (int i = 0; i < 8; i++) {
      out[i] = (byte) (word >>> 8 * i);
    }
    return new String(out, StandardCharsets.ISO_8859_1);
  }

  @Test
  void wordsAndHashesDependOnTheStringOnly() {
    for (int i = 0; i < 20_000; i++) {
      byte[] around = new byte[random.nextInt(40)];
      random.nextBytes(around);
      int from = random.nextInt(around.length + 1);
      int end = from + random.nextInt(around.length - from + 1);
      long expected = 0;
      for (int at = Math.min(end, from + 8) - 1; at >= from; at--) {
        expected = expected << 8 | around[at] & 0xFF;
      }
      assertEquals(expected, Octets.word(around, from, end));
      assertEquals(Octets.hash(java.util.Arrays.copyOfRange(around, from, end)), Octets.hash(around, from, end));
    }
  }

  @Test
  void nonLatin1CharactersMatchOnlyThemselves() {
    assertEquals("?b??c", new String(Octets.of("\u0141b\uD83D\uDE00c"), StandardCharsets.ISO_8859_1));
    RouteIndex<String> index = RuleText.index(RuleText.rule("a").path("/A/x"), RuleText.rule("b").path("/:any/y"));
    assertEquals("a", RuleText.found(index, RuleText.get("/A/x")));
    for (String path : List.of("/\u0141/x", "/?/x", "/\u0141A/x")) {
      assertEquals("-", RuleText.found(index, Lookup.of("http", "GET", "h", path)), path);
    }
    Match<String> found = index.find(Lookup.of("http", "GET", "h", "/\uD83D\uDE00\u0141/y")).orElseThrow();
    assertEquals(Map.of("any", "\uD83D\uDE00\u0141"), found.captures());
    assertSame("b", found.value());
  }
}
