package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.jwt.ScopesMatcher.Strategy;

class ScopesMatcherTest {
  /** Whether the scopes in the first column satisfy the one in the second, for each strategy. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      a       | a       | EXACT HIERARCHIC WILDCARD
      a.b     | a.b     | EXACT HIERARCHIC WILDCARD
      a       | a.b     | HIERARCHIC
      a.b     | a.b.c   | HIERARCHIC
      a       | a.b.c   | HIERARCHIC
      a.b     | a       |
      a.b     | a.bc    |
      a       | ab      |
      A       | a       |
      x a     | a.b     | HIERARCHIC
      a.*     | a.b     | WILDCARD
      a.*     | a.b.c   | WILDCARD
      a.*     | a       |
      a.*     | ab.c    |
      a.*     | a.*     | EXACT HIERARCHIC WILDCARD
      *       | a       | WILDCARD
      *       | a.b.c   | WILDCARD
      a.*.c   | a.b.c   | WILDCARD
      a.*.c   | a.b.d   |
      a.*.c   | a.b.x.c |
      a.*.c   | a.b     |
      *.*     | a.b.c   | WILDCARD
      *.*     | a       |
      a.b*    | a.bc    |
      a.*     | a.      |
      a.      | a       |
      a       | a.      | HIERARCHIC
      a.*.*   | a..b    |
      """)
  void grantsByStrategy(String granted, String required, String strategies) {
    for (Strategy strategy : Strategy.values()) {
      boolean expected = strategies != null && strategies.contains(strategy.name());
      Optional<String> missing = new ScopesMatcher(strategy, List.of(required)).missing(List.of(granted.split(" ")));
      assertEquals(expected ? Optional.empty() : Optional.of(required), missing, strategy.name());
    }
  }

  @Test
  void laterChangesOfAListOfScopesHaveNoEffect() {
    List<String> required = new ArrayList<>(List.of("a"));
    ScopesMatcher matcher = new ScopesMatcher(Strategy.EXACT, required);
    required.clear();
    assertEquals(Optional.of("a"), matcher.missing(List.of()));
  }

  @Test
  void requiresAllScopesAndNamesFirstMissing() {
    ScopesMatcher matcher = new ScopesMatcher(Strategy.EXACT, List.of("a", "b", "c"));
    assertEquals(Optional.of("b"), matcher.missing(List.of("c", "a")));
    assertEquals(Optional.empty(), matcher.missing(List.of("c", "a", "b", "d")));
    assertEquals(Optional.empty(), ScopesMatcher.NONE.missing(List.of()));
  }
}
