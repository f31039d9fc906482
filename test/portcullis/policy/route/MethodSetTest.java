package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.source.Problems;

class MethodSetTest {
  @Test
  void readsListsAsWritten() {
    assertEquals(Set.of("GET", "POST"), names("GET", "POST", "GET"));
    assertEquals(Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE"), names("ALL"));
    assertEquals(Set.of("HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS"),
        names("!GET", "ALL", "!TRACE"));
    assertEquals(Set.of("PURGE", "GET"), names("PURGE", "GET", "!POST"));
    assertTrue(MethodSet.compile(List.of(), new Problems()).orElseThrow().has("ANYTHING"));
    assertFalse(new MethodSet(false, names("GET")).has("get"));
  }

  /** The registry of methods (RFC 9110, 16.1.1), and what caches purge by. */
  @ParameterizedTest
  @ValueSource(strings = {"ACL", "BASELINE-CONTROL", "BIND", "CHECKIN", "CHECKOUT", "COPY", "LABEL", "LINK", "LOCK",
    "MERGE", "MKACTIVITY", "MKCALENDAR", "MKCOL", "MKREDIRECTREF", "MKWORKSPACE", "MOVE", "ORDERPATCH", "PRI",
    "PROPFIND", "PROPPATCH", "PURGE", "QUERY", "REBIND", "REPORT", "SEARCH", "UNBIND", "UNCHECKOUT", "UNLINK",
    "UNLOCK", "UPDATE", "UPDATEREDIRECTREF", "VERSION-CONTROL"})
  void registeredMethodsAreNoMistakes(String method) {
    Problems problems = new Problems();
    MethodSet set = compiled(problems, method).orElseThrow();
    assertTrue(set.has(method));
    assertEquals(List.of(), problems.sorted());
  }

  @Test
  void aListOfWhichNothingIsLeftOpensNothing() {
    String hint = "of these methods none is left, begin with `ALL` to mean all but some: `[ALL, \"!GET\"]`";
    assertError(hint, "!GET");
    assertError(hint, "GET", "POST", "!GET", "!POST");
    assertError(hint, "ALL", "!GET", "!HEAD", "!POST", "!PUT", "!PATCH", "!DELETE", "!CONNECT", "!OPTIONS", "!TRACE");
  }

  @Test
  void refusesWhatIsNoMethod() {
    assertError("invalid method ``, write a name as `GET`, `ALL`, or `!` and a name", "GET", "");
    assertError("invalid method `!`, write a name as `GET`, `ALL`, or `!` and a name", "!");
    assertError("invalid method `GET,POST`, write a name as `GET`, `ALL`, or `!` and a name", "GET,POST");
    assertError("`!ALL` leaves no method, take single ones away, as `!TRACE`", "GET", "!ALL");
  }

  @Test
  void warnsOfLetterCase() {
    Problems problems = new Problems();
    assertEquals(Set.of("get"), MethodSet.compile(Stream.of("get").map(RuleText::written).toList(),
        problems).orElseThrow().names());
    assertEquals(List.of("r.yaml:1:1: warning: `get` is not the method `GET`, letter case counts, write `GET`"),
        RuleText.texts(problems));
  }

  private static Set<String> names(String... list) {
    return compiled(new Problems(), list).orElseThrow().names();
  }

  private static void assertError(String expected, String... list) {
    Problems problems = new Problems();
    assertTrue(compiled(problems, list).isEmpty());
    assertEquals(List.of("r.yaml:1:1: " + expected), RuleText.texts(problems));
  }

  private static Optional<MethodSet> compiled(Problems problems, String... list) {
    return MethodSet.compile(Stream.of(list).map(RuleText::written).toList(), problems);
  }
}
