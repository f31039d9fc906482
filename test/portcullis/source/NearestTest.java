package portcullis.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  private static final List<String> KNOWN = List.of("authenticator", "authorizer", "contextualizer", "finalizer", "if", "id");

  @ParameterizedTest
  @CsvSource({
      "authentictor, did you mean `authenticator`?",
      "Authorizer, did you mean `authorizer`?",
      "finaliser, did you mean `finalizer`?",
      "di, did you mean `id`?",
      "xyz, 'known: authenticator, authorizer, contextualizer, finalizer, id, if'",
  })
  void namesTheKnownNameThatWasMeant(String name, String hint) {
    assertEquals(hint, Nearest.hint(name, KNOWN));
  }

  @Test
  void saysThatNothingIsKnown() {
    assertEquals("none is known", Nearest.hint("a", List.of()));
  }
}
