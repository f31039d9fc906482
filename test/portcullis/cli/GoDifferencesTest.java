package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What templates and expressions show differently because heimdall's objects are types of Go. */
class GoDifferencesTest {
  @Test
  void urlAndTypesPrintDifferently() {
    assertEquals(new CommandResult(0, """
        {"Captures":{},"ForceQuery":false,"Fragment":"","Host":"localhost","OmitHost":false,"Opaque":"","Path":"/",\
        "RawFragment":"","RawPath":"/","RawQuery":"","Scheme":"http","User":null}
        """, ""), CommandResult.of("eval", "template", "{{ .Request.URL | toJson }}"));
    assertEquals(new CommandResult(0, "*Request *URL\n", ""), CommandResult.of("eval", "template",
        "{{ typeOf .Request }} {{ typeOf .Request.URL }}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[].last()", "[].last() == null", "[].last() == 1"})
  void emptyListHasNoLastElement(String expression) {
    CommandResult reported = CommandResult.of("eval", "expression", expression);
    assertEquals(1, reported.status());
    assertTrue(reported.err().contains("an empty list has no last element"), reported.err());
  }
}
