package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.lang.value.Value;

/** What is compared in expressions. */
class ComparisonTest {
  private static List<String> paths(String expression) {
    return Comparison.of(expression).stream().map(c -> String.join("/", c.path())).toList();
  }

  @Test
  void membersOfRequestAndSubjectAreFoundInOrder() {
    assertEquals(List.of("Request/Header/A", "Request/URL/Query/q", "Subject/Attributes/a/b", "Request/Body/n"),
        paths("Request.Header('A') == 'x' && (Request.URL.Query().q[0] == 'y' || has(Subject.Attributes.a.b))"
            + " ? Request.Body['n'] > 1 : false"));
  }

  @Test
  void constantsBelongToTheirPart() {
    List<Comparison> found = Comparison.of("Request.Header('A') in ['x', 'y'] && !(Request.Method == 'GET')");
    assertEquals(List.of(List.<Value>of(Value.of("x"), Value.of("y")), List.<Value>of(Value.of("GET"))),
        found.stream().map(Comparison::constants).toList());
  }

  @Test
  void listsAreKnownByTheirUse() {
    assertEquals(List.of(true, true, false), Comparison.of("'a' in Subject.Attributes.groups"
        + " && Subject.Attributes.roles.exists(r, r == 'b') && Subject.Attributes.role == 'c'").stream()
        .map(Comparison::isList).toList());
  }

  @Test
  void whatDoesNotParseHasNone() {
    assertEquals(List.of(), Comparison.of("Request.("));
  }
}
