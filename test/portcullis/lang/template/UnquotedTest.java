package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Values of clients that templates write unquoted. */
class UnquotedTest {
  private static Template template(String text) {
    return Template.compile(LocatedText.of("t", text), new Problems()).orElseThrow();
  }

  private static String found(String text) {
    Map<String, Template> values = Map.of("raw", template("a:{{ .Request.Body.x }}"), "quoted",
        template("{{ quote .Request.Body.x }}"), "own", template("{{ .Subject.ID }}"));
    return template(text).unquoted(values).stream()
        .map(i -> i.value().kind() + " " + i.value().name() + " in " + i.context() + " at " + i.written())
        .collect(Collectors.joining("; "));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '¦', textBlock = """
      { "a": "{{ .Request.URL.Captures.id }}" } ¦ CAPTURE id in JSON at .Request.URL.Captures.id
      { "a": "{{ index .Request.URL.Captures "id" }}" } ¦ CAPTURE id in JSON at index .Request.URL.Captures "id"
      { "a": "{{ .Request.Header "X-A" | upper }}" } ¦ HEADER X-A in JSON at .Request.Header "X-A" | upper
      { "a": "{{ .Request.Cookie "c" }}" } ¦ COOKIE c in JSON at .Request.Cookie "c"
      { "a": "{{ .Request.Body.a.b }}" } ¦ BODY a.b in JSON at .Request.Body.a.b
      { "a": "{{ .Values.raw }}" } ¦ BODY x in JSON at .Request.Body.x
      { {{ $x := .Request.Body.y }} "a": "{{ $x }}" } ¦ BODY y in JSON at $x
      [ {{ range .Request.Body.z }} "{{ . }}" {{ end }} ] ¦ BODY z in JSON at .
      [ "{{ with .Request.Body }}{{ .q }}{{ end }}" ] ¦ BODY  in JSON at .q
      [ "{{ printf "%s" $.Request.Body.p }}" ] ¦ BODY p in JSON at printf "%s" $.Request.Body.p
      <p>{{ .Request.URL.Path }}</p> ¦ PATH  in HTML at .Request.URL.Path
      id={{ .Request.Body.id }} ¦ BODY id in FORM at .Request.Body.id
      """)
  void findsValuesAsTheyArePrinted(String text, String expected) {
    assertEquals(expected, found(text).replaceAll(" $", ""));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '¦', textBlock = """
      { "a": {{ quote .Request.URL.Captures.id }} }
      { "a": {{ .Request.Body | toJson }} }
      { "a": {{ print "x:" .Request.Body.id | quote }} }
      { "a": "{{ .Request.Body.id | urlenc }}" }
      { "a": {{ len .Request.Body }}, "b": {{ eq .Request.Body.a "x" }} }
      { "a": "{{ .Request.Method }} {{ .Request.URL.Host }}" }
      { "a": "{{ .Subject.ID }} {{ .Outputs.x.y }} {{ .Values.own }}" }
      { "a": {{ .Values.quoted }} }
      { "a": {{ printf "%q %d" .Request.Body.a 1 }} }
      { "a": "{{ if .Request.Body.x }}yes{{ end }}" }
      { "a": "{{ ternary "x" "y" (eq .Request.Body.a "b") }}" }
      <p>{{ .Request.URL.Path | html }}</p>
      id={{ .Request.Body.id | urlenc }}
      plain {{ .Request.Body.id }}
      """)
  void quotedAndOtherValuesAreFine(String text) {
    assertEquals("", found(text));
  }
}
