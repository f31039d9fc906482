package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CacheKeyTest {
  private static final List<String> PIECES = List.of("", "a", "b", "ab", ":", ",", "\0", "\0\0\0\1", "1", "1:a", "ä",
      "\u00FF", "\u0100", "\uD800", "\uDC00", "?", "\uFFFD");

  @Test
  void keysOfAmbiguousConcatenationsDiffer() {
    assertNotEquals(CacheKey.of("p", "a", "bc"), CacheKey.of("p", "ab", "c"));
    assertNotEquals(CacheKey.of("p", "a"), CacheKey.of("p", "a", ""));
    assertNotEquals(CacheKey.of("p", "a"), CacheKey.of("pa"));
    assertEquals(CacheKey.of("p", "a", "bc"), CacheKey.of("p", List.of("a", "bc")));
  }

  @Test
  void keysOfGeneratedPartsNeverCollide() {
    Random random = new Random(32);
    Map<CacheKey, List<String>> known = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      List<String> parts = parts(random);
      List<String> same = known.putIfAbsent(CacheKey.of(parts.getFirst(), parts.subList(1, parts.size())), parts);
      if (same != null) {
        assertEquals(same, parts);
      }
    }
  }

  @Test
  void everySplitOfAStringHasItsOwnKey() {
    String text = "\0\0\0\1a\0\0\0\2bc";
    Map<CacheKey, List<String>> known = new HashMap<>();
    for (int cuts = 0; cuts < 1 << text.length() - 1; cuts++) {
      List<String> parts = cut(text, cuts);
      assertNull(known.put(CacheKey.of("p", parts), parts), () -> parts.stream().collect(Collectors.joining("|")));
    }
  }

  private static List<String> parts(Random random) {
    List<String> out = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      out.add(PIECES.get(random.nextInt(PIECES.size())) + PIECES.get(random.nextInt(PIECES.size())));
    }
    return out;
  }

  /** Bit i of the cuts says whether a part ends behind character i. */
  private static List<String> cut(String text, int cuts) {
    List<String> out = new ArrayList<>();
    int from = 0;
    for (int i = 0; i < text.length(); i++) {
      if ((cuts >> i & 1) == 1 || i == text.length() - 1) {
        out.add(text.substring(from, i + 1));
        from = i + 1;
      }
    }
    return out;
  }
}
