package portcullis.policy.finalizer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.StubService;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.rule.Rules;
import portcullis.policy.rule.Stage;

/** Each setting of the finalizers header and cookie. */
class FinalizersTest {
  private static final Request REQUEST = Rules.request("/shop", "", "X-A", "one");
  private static final String STEPS = "{authenticator: user}, {contextualizer: more}, {finalizer: tell}";

  private static String of(String type, String config) {
    return "authenticators: [{id: user, type: anonymous, config: {subject: anna}}]\n"
        + "contextualizers: [{id: more, type: map, config: {items: {place: here}}}]\n"
        + "finalizers: [{id: tell, type: " + type + ", config: {" + config + "}}]\n";
  }

  private static String overriding(String config) {
    return "{authenticator: user}, {contextualizer: more}, {finalizer: tell, config: {" + config + "}}";
  }

  private static String shown(String type, String config, String steps) {
    try (Stage stage = new Stage(_ -> StubService.OK)) {
      return switch (stage.result(of(type, config), steps, REQUEST)) {
        case PipelineResult.Passed(var state) -> text(state.additions().headers()) + text(state.additions().cookies());
        case PipelineResult.Failed(var error, _) -> error.failure().report();
      };
    }
  }

  private static String text(List<Field> fields) {
    StringBuilder out = new StringBuilder();
    fields.forEach(f -> out.append('<').append(f.name()).append(": ").append(f.value()).append('>'));
    return out.toString();
  }

  private static String wrong(String type, String config, String steps) {
    try (Stage stage = new Stage(_ -> StubService.OK)) {
      return stage.wrong(of(type, config), steps);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{ .Request.URL.Query.Get \"q\" }}", "a {{ .Request.Header \"X-A\" }}{{ "
      + ".Request.URL.Query.Get \"q\" }}",
    "{{ $x := .Request.URL.Query.Get \"q\" }}{{ $x | upper }}", "{{ .Request.URL.Query.q }}",
    "{{ list \"a\" \"b\" | join \"\\n\" }}",
    "{{ range .Request.URL.Query.q }}{{ . }}{{ end }}", "{{ template \"t\" . }}{{ define \"t\" }}{{ "
        + ".Request.URL.Query.Get \"q\" }}{{ end }}"})
  void aLineBreakInARenderedValueFails(String template) {
    for (String query : List.of("q=a%0Ab", "q=a%0D%0AX-User:%20root", "q=a%0A", "q=%0Da")) {
      try (Stage stage = new Stage(_ -> StubService.OK)) {
        Request request = Rules.request("/shop", query, "X-A", "one");
        PipelineResult result = stage.result(of("header", "headers: {X-A: '" + template + "'}"), STEPS, request);
        String report = result instanceof PipelineResult.Failed(var error, _) ? error.failure().report()
            : result.toString();
        assertTrue(report.contains("failed to render value for 'X-A' header") && report.contains("line break"), report);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "{X-A: '{{ .Subject.ID }}'}|<X-A: anna>",
    "{X-A: '{{ .Request.Header \"X-A\" }} {{ .Request.URL.Path }}'}|<X-A: one /shop>",
    "{X-A: '{{ .Outputs.more.place }}'}|<X-A: here>",
    "{X-B: b, X-A: a}|<X-B: b><X-A: a>",
    "{X-A: \"a\\n\\nb\\nc\\n\"}|<X-A: a><X-A: b><X-A: c>",
    "{X-A: \"{{ .Subject.ID }}\\nb\\n\"}|<X-A: anna><X-A: b>",
    "{X-A: '{{ range list 1 2 }}{{ . }}{{ \"\\n\" }}{{ end }}'}|<X-A: 1><X-A: 2>",
    "{X-A: ''}|~~",
    "{X-A: ' a  b '}|<X-A: a  b>",
    "{X-A: '{{ if false }}x{{ end }}', X-B: b}|<X-B: b>",
    "{Host: upstream.local}|<Host: upstream.local>",
    "{X-A: \"a\\rb\"}|failed to render value for 'X-A' header: the value holds a control character",
    "{X-A: '{{ .Subject.ID.more }}'}|failed to render value for 'X-A' header: ",
  })
  void headersAreRendered(String headers, String shown) {
    String reported = shown("header", "headers: " + headers, STEPS);
    assertTrue(shown.startsWith("failed") ? reported.contains(shown) : reported.equals(shown), reported);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "{a: '{{ .Subject.ID }}'}|<a: anna>",
    "{b: '{{ .Outputs.more.place }}', a: '{{ .Request.URL.Path }}'}|<b: here><a: /shop>",
    "{a: ''}|<a: >",
    "{a: 'x; Path=/; b=\"c\\d\"'}|<a: x Path=/ b=cd>",
    "{a: \"x\\r\\ny\"}|<a: xy>",
    "{a: '{{ .Subject.ID.more }}'}|failed to render value for 'a' cookie: ",
  })
  void cookiesAreRendered(String cookies, String shown) {
    String reported = shown("cookie", "cookies: " + cookies, STEPS);
    assertTrue(shown.startsWith("failed") ? reported.contains(shown) : reported.equals(shown), reported);
  }

  @Test
  void aRuleReplacesAllOfThem() {
    assertEquals("<X-B: b>", shown("header", "headers: {X-A: a}", overriding("headers: {X-B: b}")));
    assertEquals("<b: b>", shown("cookie", "cookies: {a: a}", overriding("cookies: {b: b}")));
    assertEquals("<X-A: a>", shown("header", "headers: {X-A: a}", overriding("")));
    assertEquals("<a: a>", shown("cookie", "cookies: {a: a}", overriding("")));
  }

  @Test
  void aDefinitionNamesSome() {
    assertTrue(wrong("header", "values: {a: b}", STEPS).contains("`headers` is missing"));
    assertTrue(wrong("cookie", "values: {a: b}", STEPS).contains("`cookies` is missing"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "header|headers: {}|headers: must contain at least 1 name",
    "cookie|cookies: {}|cookies: must contain at least 1 name",
    "header|values: {a: b}|unknown key `values`, known: headers",
    "cookie|values: {a: b}|unknown key `values`, known: cookies",
    "header|headers: {X-A: a}, values: {a: b}|unknown key `values`",
    "header|headers: {'X A': a}|invalid name `X A`",
    "cookie|cookies: {'a=b': a}|invalid name `a=b`",
    "header|headers: {X-A: '{{ .Values'}|headers.X-A: ",
  })
  void saysWhatIsWrongAndWhere(String type, String config, String problem) {
    assertTrue(wrong(type, config, STEPS).contains(problem), () -> wrong(type, config, STEPS));
    String good = type + "s: {X-A: a}";
    assertTrue(wrong(type, good, overriding(config)).contains(problem), () -> wrong(type, good, overriding(config)));
  }
}
