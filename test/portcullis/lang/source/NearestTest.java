package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  private static final List<String> KNOWN = List.of("authenticator", "authorizer", "contextualizer", "finalizer", "if",
      "id");

  @ParameterizedTest
  @CsvSource({
    "authentictor, did you mean `authenticator`?",
    "Authorizer, did you mean `authorizer`?",
    "finaliser, did you mean `finalizer`?",
    "di, did you mean `id`?",
    "xyz, 'known: authenticator, authorizer, contextualizer, finalizer, id, if'",
  })
  void suggestsTheKnownName(String name, String hint) {
    assertEquals(hint, Nearest.hint(name, KNOWN));
  }

  @ParameterizedTest
  @CsvSource({
    "strip_prefix, did you mean `strip_path_prefix`?",
    "basic, did you mean `basic_auth`?",
    "path-prefix, 'known: add_path_prefix, basic_auth, strip_path_prefix'",
    "prefix_, 'known: add_path_prefix, basic_auth, strip_path_prefix'",
  })
  void suggestsTheOnlyNameWithAllWords(String name, String hint) {
    assertEquals(hint, Nearest.hint(name, List.of("strip_path_prefix", "add_path_prefix", "basic_auth")));
  }

  @Test
  void listsEachNameOnce() {
    assertEquals("known: cel, generic", Nearest.hint("xyz", List.of("generic", "cel", "generic")));
  }

  @Test
  void reportsThatNothingIsDefined() {
    assertEquals("none is defined", Nearest.hint("a", List.of()));
  }
}
