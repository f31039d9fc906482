package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.policy.catalogue.Catalogue;

class MechanismHelpTest {
  @Test
  void listsAllTypesByTheirKinds() {
    String out = CommandResult.of("help", "mechanism").out();
    Catalogue.KINDS.forEach(
        kind -> assertTrue(out.contains(kind.stepKey() + ":\n  " + kind.types().getFirst().name() + "\n"), out));
    assertEquals("finalizer:\n  noop\n  header\n",
        CommandResult.of("help", "mechanism", "finalizer").out().substring(0, 27));
  }

  @Test
  void describesEachType() {
    Catalogue.KINDS.forEach(kind -> kind.types().forEach(type -> {
      CommandResult reported = CommandResult.of("help", "mechanism", kind.stepKey(), type.name());
      assertEquals(0, reported.status());
      assertTrue(reported.out().startsWith(kind.name() + " `" + type.name() + "`\n====="), reported.out());
      assertTrue(reported.out().contains("`mechanisms." + kind.key() + "`"), reported.out());
    }));
    assertTrue(CommandResult.of("help", "mechanism", "basic_auth").out().lines()
        .anyMatch(line -> line.matches("`users` +a string.*the file of users.*")));
  }

  @Test
  void helpForNameOfSeveralKindsShowsAll() {
    String out = CommandResult.of("help", "mechanism", "jwt").out();
    assertTrue(out.contains("authenticator `jwt`") && out.contains("finalizer `jwt`"), out);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "jtw|no type of mechanism is called `jtw`, did you mean `jwt`?",
    "authoriser cel|there is no kind `authoriser` of mechanisms, did you mean `authorizer`?",
    "authorizer jwt|no type of mechanism is called `jwt`, known: allow, cel, deny, rate_limit, remote",
    "a b c|`c` is not expected here",
  })
  void unknownNamesAreWrongUse(String words, String message) {
    CommandResult reported = CommandResult.of(("help mechanism " + words).split(" "));
    assertEquals(2, reported.status());
    assertTrue(reported.err().startsWith("portcullis: " + message + "\nportcullis: `portcullis help mechanism` shows "
        + "more\n"), reported.err());
  }
}
