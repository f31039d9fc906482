package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

class UrlTemplateTest {
  private static UrlTemplate template(String text) {
    Problems problems = new Problems();
    Optional<UrlTemplate> out = UrlTemplate.compile(LocatedText.of("f", text), problems);
    return out.orElseThrow(() -> new AssertionError(problems.sorted()));
  }

  /** Rendered with {@code .a}, {@code .b} and an empty {@code .none}. */
  private static String rendered(String text, String a, String b) throws CallFailure {
    Map<String, Value> scope = new LinkedHashMap<>();
    scope.put("a", Value.of(a));
    scope.put("b", Value.of(b));
    scope.put("none", Value.of(""));
    scope.put("list", Value.of(Value.of("x/y"), Value.of("z?")));
    return template(text).render(new Value.Dict(scope)).toString();
  }

  private static String refusal(String text, String a) {
    String message = assertThrows(CallFailure.InvalidRequest.class, () -> rendered(text, a, "b")).getMessage();
    assertTrue(message.startsWith("failed to render URL for the endpoint: "), message);
    return message.substring("failed to render URL for the endpoint: ".length());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      http://h/x?y=1                        | -       | http://h/x?y=1
      http://h/{{ .a }}/x                   | ann     | http://h/ann/x
      http://h/{{ .a }}                     | a/b     | http://h/a/b
      http://h{{ .a }}/x                    | /a/b    | http://h/a/b/x
      http://h:8080{{ .a }}                 | /a      | http://h:8080/a
      http://h/{{ urlenc .a }}              | a/1 x   | http://h/a%2F1+x
      http://h/{{ .a }}                     | a%2Fb   | http://h/a%2Fb
      http://h/{{ .a }}                     | 100%    | http://h/100%25
      http://h/{{ .a }}                     | a b     | http://h/a%20b
      http://h/{{ .a }}                     | zoë     | http://h/zo%C3%AB
      http://h/{{ .a }}                     | a"<>^`  | http://h/a%22%3C%3E%5E%60
      http://h/{{ .a }}                     | [x]{y}  | http://h/%5Bx%5D%7By%7D
      http://h/x?id={{ .a }}                | 42      | http://h/x?id=42
      http://h/x?id={{ urlenc .a }}         | a&b=c?d | http://h/x?id=a%26b%3Dc%3Fd
      http://h/x?{{ .a }}                   | x=1&y=2 | http://h/x?x=1&y=2
      http://h/x?{{ .a }}&k={{ .b }}        | x=1&y=2 | http://h/x?x=1&y=2&k=b
      http://h?id={{ .a }}                  | 42      | http://h?id=42
      http://h/{{ .a }}#frag                | x       | http://h/x
      http://h/x#{{ .a }}                   | x       | http://h/x
      http://{{ .a }}/x                     | pdp     | http://pdp/x
      http://{{ .a }}/x                     | p_d:81  | http://p_d:81/x
      http://{{ .a }}/x                     | [::1]:8 | http://[::1]:8/x
      http://{{ .a }}/x                     | pdp/v1  | http://pdp/v1/x
      http://{{ .a }}.pdp.local/x           | eu.a    | http://eu.a.pdp.local/x
      http://pdp-{{ .a }}.local/x           | 7       | http://pdp-7.local/x
      http://pdp.{{ .a }}/x                 | eu.org  | http://pdp.eu.org/x
      http://pdp:{{ .a }}/x                 | 8080    | http://pdp:8080/x
      http://pdp{{ .a }}/x                  | 2       | http://pdp2/x
      """)
  void fillsInWhereItIsWritten(String text, String a, String expected) throws CallFailure {
    assertEquals(expected, rendered(text, a, "b"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      http://h/users/{{ .a }}               | ann?admin=1         | http://h/users/ann%3Fadmin=1
      http://h/users/{{ .a }}/roles         | ann#x               | http://h/users/ann%23x/roles
      http://h/x?id={{ .a }}                | 42&admin=true       | http://h/x?id=42%26admin=true
      http://h/x?id={{ .a }}&z=1            | 42#                 | http://h/x?id=42%23&z=1
      http://h/x?id=a-{{ .a }}              | 1&id=2              | http://h/x?id=a-1%26id=2
      http://h/x?{{ .b }}={{ .a }}          | 1&2                 | http://h/x?b=1%262
      http://h/{{ .a }}?id={{ .a }}         | ?&                  | http://h/%3F&?id=?%26
      """)
  void insertedValuesOpenNoQueryOrParameter(String text, String a, String expected) throws CallFailure {
    assertEquals(expected, rendered(text, a, "b"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      http://h/{{ .a }}/x     | ..            | its path holds a dot segment
      http://h/{{ .a }}/x     | ../../admin   | its path holds a dot segment
      http://h/{{ .a }}       | %2e%2E        | its path holds a dot segment
      http://h/{{ .a }}       | ..%2fadmin    | its path holds a dot segment
      http://h/{{ .a }}       | ..\\admin      | its path holds a dot segment
      http://h/{{ .a }}       | ..;x/admin    | its path holds a dot segment
      http://h/{{ .a }}       | x/./y         | its path holds a dot segment
      http://h/.{{ .a }}/x    | .             | its path holds a dot segment
      http://h{{ .a }}/x      | .evil.com     | the inserted value is not valid in a host
      http://h{{ .a }}/x      | @evil.com     | the inserted value is not valid in a host
      http://h{{ .a }}/x      | :81           | the inserted value is not valid in a host
      http://h{{ .a }}/x      | ?y            | the inserted value is not valid in a host
      http://h{{ .a }}/x      | *             | the inserted value is not valid in a host
      http://{{ .a }}.h/x     | evil.com/     | a path is inserted inside the host
      http://{{ .a }}.h/x     | evil.com/y    | a path is inserted inside the host
      http://a{{ .a }}.h/x    | /y            | a path is inserted inside the host
      http://a{{ .a }}.h/x    | .evil.com/y   | the inserted value is not valid in a host
      http://h.{{ .a }}/x     | /y            | the inserted value is not valid in a host
      http://h:{{ .a }}/x     | /y            | the inserted value is not valid in a host
      http://h:{{ .a }}/x     | 80.evil.com   | it has no host
      http://h:{{ .none }}/x  | -             | it has no host
      http://{{ .a }}/x       | a@evil.com    | the inserted value is not valid in a host
      http://{{ .a }}/x       | a\\b           | the inserted value is not valid in a host
      http://{{ .none }}/x    | -             | it has no host
      http://{{ .a }}:8/x     | h:9           | it has no host
      """)
  void rejectsValuesThatChangeTheTarget(String text, String a, String expected) {
    assertEquals(expected, refusal(text, a));
  }

  @Test
  void rejectsControlCharacters() {
    for (char c : new char[] {0, '\t', '\n', '\r', 0x1b, 0x7f}) {
      for (String text : new String[] {"http://h/{{ .a }}", "http://h/x?y={{ .a }}", "http://{{ .a }}/"}) {
        assertEquals("the inserted value contains a control character", refusal(text, "x" + c + "y"));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      http://h/x{{ if .a }}?id={{ .a }}{{ else }}/all{{ end }}       | 1&2   | http://h/x?id=1%262
      http://h/x{{ if .none }}?id={{ .a }}{{ else }}/all{{ end }}    | 1     | http://h/x/all
      http://h/x{{ if .none }}?id={{ .a }}{{ end }}                  | 1     | http://h/x
      http://h/x?{{ range .list }}i={{ . }}&{{ end }}k={{ .a }}      | 1     | http://h/x?i=x/y&i=z?&k=1
      http://h{{ range .list }}/{{ . }}{{ end }}                     | 1     | http://h/x/y/z%3F
      http://h/{{- .a -}} /x                                         | a     | http://h/a/x
      http://h/   {{- .a -}}   {{- .b -}}   ?x=1                     | a     | http://h/ab?x=1
      http://h/{{ with .a }}v/{{ . }}{{ end }}                       | a?    | http://h/v/a%3F
      http://h/{{ $x := .a }}{{ $x }}?y                              | a?    | http://h/a%3F?y
      http://h/{{ "}}" }}{{ `{{` }}                                  | a     | http://h/%7D%7D%7B%7B
      http://h/{{/* a comment with "}}" and ' in it */}}x            | a     | http://h/x
      http://h/{{ printf "%s-%s" .a "{{" }}                          | a     | http://h/a-%7B%7B
      """)
  void everyKindOfActionIsFollowed(String text, String a, String expected) throws CallFailure {
    assertEquals(expected, rendered(text, a, "b"));
  }

  @Test
  void literalPartsSurviveArbitraryData() {
    Random random = new Random(43);
    String alphabet = "ab/.:@?#&=%2eE\\ ;[]{}\0\n+ü*\uD800\uFDD0-";
    for (int i = 0; i < 5_000; i++) {
      StringBuilder data = new StringBuilder();
      for (int n = random.nextInt(12); n > 0; n--) {
        data.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      for (String text : new String[] {"http://h.local/v1/{{ .a }}?id={{ .a }}", "http://h.local{{ .a }}/v1?id={{ .a "
          + "}}"}) {
        stays(text, data.toString());
      }
    }
  }

  private static void stays(String text, String data) {
    try {
      String url = rendered(text, data, "b");
      assertTrue(url.startsWith("http://h.local/")
          || url.startsWith("http://h.local" + data) && data.matches("[a-zA-Z0-9_-]*"), url);
      assertEquals(url.indexOf('?'), url.indexOf("?id="), url);
      assertEquals(-1, url.indexOf('&', url.indexOf('?')), url);
      assertEquals(-1, url.indexOf('#'), url);
    } catch (CallFailure _) {
      // refused is as good
    }
  }

  @Test
  void faultsOfATemplateAreShownWhereTheyAreWritten() {
    Problems problems = new Problems();
    String text = "http://h/{{ .a }}/{{ nosuch .b }}/x";
    UrlTemplate.compile(LocatedText.of("f", text), problems);
    Problem problem = problems.sorted().getFirst();
    assertTrue(problem.text().startsWith("f:1:" + (text.indexOf("nosuch") + 1) + ":"), problem.text());
  }

  @Test
  void anActionWithoutAnEndIsAProblemOfTheTemplate() {
    Problems problems = new Problems();
    assertTrue(UrlTemplate.compile(LocatedText.of("f", "http://h/{{ .a }}/{{ .b"), problems).isEmpty());
    assertTrue(problems.hasErrors());
  }

  @Test
  void reportsTemplateErrorWithoutMarks() {
    String why = refusal("http://h/{{ .a }}/{{ fail .a }}", "secret");
    assertTrue(why.startsWith("f:1:") && why.indexOf('\uFDD0') < 0, why);
  }
}
