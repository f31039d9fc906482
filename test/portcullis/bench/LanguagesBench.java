package portcullis.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.expression.ErrorObject;
import portcullis.lang.expression.Expression;
import portcullis.lang.expression.Variables;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/** What expressions and templates cost, on a request as rules see it. */
final class LanguagesBench {
  private static final Map<String, Double> EXPRESSIONS = Map.of(
      "Subject.Attributes.role == 'admin' && Request.Method in ['GET', 'POST']", 300.0,
      "has(Subject.Attributes.groups) && 'admin' in Subject.Attributes.groups", 800.0,
      "Request.Header('Accept').contains('text/html')", 300.0,
      "type(Error) == authentication_error", 300.0);
  private static final String CLAIMS = """
      {"sub": {{ quote .Subject.ID }}, "email": {{ quote .Subject.Attributes.email }}, "name": {{ quote \
      .Subject.Attributes.name }},
       "groups": {{ .Subject.Attributes.groups | toJson }}, "tenant": {{ quote .Outputs.tenant }}}""";
  private static final String CORPUS = "golden/templates-heimdall.json";
  private static final Set<String> OF_CORPUS = Set.of("payloads-03", "request-33", "payloads-13");
  private static final double UNBOUND = Double.MAX_VALUE;

  private LanguagesBench() {}

  static void run() throws Exception {
    Value.Dict scope = scope();
    Variables variables = Variables.of(scope.members());
    for (Map.Entry<String, Double> entry : EXPRESSIONS.entrySet()) {
      Expression expression = Expression.condition(LocatedText.of("bench", entry.getKey()), new Problems())
          .orElseThrow();
      print(entry.getKey(), Measure.of(() -> expression.test(variables)), entry.getValue(), UNBOUND);
    }
    Template claims = template(CLAIMS);
    print("claims template of five fields", Measure.of(() -> claims.render(scope)), 2000, 2048);
    Path corpus = Path.of("test/data", CORPUS);
    for (Value row : Files.isRegularFile(corpus) ? rows(corpus) : List.<Value>of()) {
      Template template = template(text(row, "template"));
      print("template " + text(row, "name"), Measure.of(() -> template.render(scope)), UNBOUND, UNBOUND);
    }
  }

  private static void print(String name, Measure.Cost cost, double nanos, double bytes) {
    System.out.println("  " + cost.line(name.length() > 44 ? name.substring(0, 43) + "…" : name, nanos, bytes));
  }

  private static Template template(String text) {
    return Template.compile(LocatedText.of("bench", text), new Problems()).orElseThrow();
  }

  private static List<Value> rows(Path corpus) throws Exception {
    Value cases = ((Value.Dict) Json.read(Files.readAllBytes(corpus))).get("cases").orElseThrow();
    return ((Value.Array) cases).items().stream().filter(row -> OF_CORPUS.contains(text(row, "name"))).toList();
  }

  private static String text(Value row, String name) {
    return ((Value.Dict) row).get(name).map(v -> ((Value.Str) v).value()).orElse("");
  }

  private static Value.Dict scope() throws ResponseStatusException, ValueException {
    Fields fields = Fields.of("Accept", "text/html, application/json;q=0.9", "Cookie", "sid=abc", "X-Trace", "t-1",
        "User-Agent", "bench", "Accept-Language", "de");
    Request request = new Request("GET", "https", Authority.parse("app.example").orElseThrow(),
        RequestPath.read("/orders/42/items"),
        "page=2", fields, List.of("203.0.113.7"), Body.none());
    Value.Dict attributes = (Value.Dict) Json.read("""
        {"role": "admin", "email": "ann@example.com", "name": "Ann Example", "groups": ["dev", "ops", "admin"], \
        "admin": true}""");
    PipelineState state = PipelineState.of(request).with(new Subject("ann", attributes)).withOutput("tenant",
        Value.of("acme"));
    Map<String, Value> scope = new HashMap<>(state.scope().members());
    scope.put("Error", new ErrorObject(Set.of(ErrorKind.AUTHENTICATION), "jwt", ""));
    return new Value.Dict(scope);
  }
}
