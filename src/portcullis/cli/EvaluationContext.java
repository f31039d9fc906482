package portcullis.cli;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.PlainValues;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.Target;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.expression.ErrorObject;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.mechanism.YamlFormat;
import portcullis.verify.TestRequest;

/** Reads a file that says what a template or an expression is tried with, as a rule would see it. */
final class EvaluationContext {
  private static final String URL = "http://localhost/";
  private static final Key<String> METHOD = Key.withDefault("Method", Decoders.nonEmpty(), "GET", "the method");
  private static final Key<Optional<LocatedText>> ADDRESS = Key.optional("URL", Decoders.located(), "a whole URL");
  private static final Key<SequencedMap<String, Value>> HEADERS = Key.withDefault("Headers",
      Decoders.map(PlainValues.decoder()),
      new LinkedHashMap<>(), "a string for each field, or a list of strings");
  private static final Key<SequencedMap<String, String>> CAPTURES = Key.withDefault("Captures",
      Decoders.map(Decoders.anyScalar()),
      new LinkedHashMap<>(), "what the route took from the path");
  private static final Key<Optional<Value>> BODY = Key.optional("Body", PlainValues.decoder(),
      "a string, else it is sent as JSON");
  private static final Key<List<String>> CLIENTS = Key.withDefault("ClientIPAddresses", Decoders.list(Decoders.text()),
      List.of("127.0.0.1"), "from the client to the peer");
  private static final Decoder<Request> REQUEST = Decoders.checked("a request",
      List.of(METHOD, ADDRESS, HEADERS, CAPTURES, BODY, CLIENTS),
      EvaluationContext::request);

  private EvaluationContext() {}

  /** Returns what is read under each name; without a request there is a plain one. */
  static Decoder<Value.Dict> decoder() {
    Key<Optional<Request>> request = Key.optional("Request", REQUEST, "the request");
    Key<Optional<Subject>> subject = Key.optional("Subject", subject(), "the subject of the request");
    Key<SequencedMap<String, Value>> values = named("Values", "what the definition or the rule sets");
    Key<SequencedMap<String, Value>> outputs = named("Outputs", "what earlier steps made, by their ids");
    Key<Optional<Value>> payload = Key.optional("Payload", PlainValues.decoder(), "what a remote party answered");
    Key<Optional<ErrorObject>> error = Key.optional("Error", error(), "why the request is refused");
    return Decoders.object("a context", List.of(request, subject, values, outputs, payload, error), p -> {
      Map<String, Value> scope = new HashMap<>();
      scope.put("Request", p.get(request).orElseGet(EvaluationContext::plain));
      scope.put("Subject", p.get(subject).map(s -> (Value) s).orElse(Value.NULL));
      scope.put("Values", new Value.Dict(p.get(values)));
      scope.put("Outputs", new Value.Dict(p.get(outputs)));
      p.get(payload).ifPresent(value -> scope.put("Payload", value));
      p.get(error).ifPresent(value -> scope.put("Error", value));
      return new Value.Dict(scope);
    });
  }

  private static Key<SequencedMap<String, Value>> named(String name, String doc) {
    return Key.withDefault(name, Decoders.map(PlainValues.decoder()), new LinkedHashMap<>(), doc);
  }

  private static Decoder<Subject> subject() {
    Key<String> id = Key.required("ID", Decoders.text(), "the identifier");
    Key<SequencedMap<String, Value>> attributes = named("Attributes", "what else is known");
    return Decoders.object("a subject", List.of(id, attributes),
        p -> new Subject(p.get(id), new Value.Dict(p.get(attributes))));
  }

  private static Decoder<ErrorObject> error() {
    SequencedMap<String, ErrorKind> kinds = new LinkedHashMap<>();
    List.of(ErrorKind.values()).forEach(kind -> kinds.put(kind.constant(), kind));
    Key<ErrorKind> kind = Key.required("Kind", Decoders.choice(kinds), "what `type(Error)` is");
    Key<String> source = Key.withDefault("Source", Decoders.text(), "", "the mechanism that failed");
    Key<String> step = Key.withDefault("StepID", Decoders.text(), "", "the step that failed");
    return Decoders.object("an error", List.of(kind, source, step),
        p -> new ErrorObject(Set.of(p.get(kind)), p.get(source), p.get(step)));
  }

  private static Request plain() {
    try {
      return request("GET", URL, Fields.NONE, List.of("127.0.0.1"), Body.none()).orElseThrow();
    } catch (ResponseStatusException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Optional<Request> request(DecodedMembers parts, Problems problems) {
    Fields fields = TestRequest.fields(parts.get(HEADERS), parts.get(BODY));
    Body body = Body.of(TestRequest.bytes(parts.get(BODY)), fields.first("Content-Type").orElse(""),
        YamlFormat::orOther);
    SequencedMap<String, String> captures = parts.get(CAPTURES);
    Optional<Request> request = Optional.empty();
    String why = "";
    try {
      request = request(parts.get(METHOD), parts.get(ADDRESS).map(LocatedText::text).orElse(URL), fields,
          parts.get(CLIENTS), body);
    } catch (ResponseStatusException e) {
      why = ": " + e.getMessage();
    }
    if (request.isEmpty()) {
      problems.error(parts.at(ADDRESS), parts.node().path() + ".URL", "this is no URL of a request" + why,
          "as `https://app.example/orders/42?page=2`");
    }
    return request.map(r -> r.matched(r.path(), () -> captures));
  }

  /** Returns the request; empty if the URL is not an HTTP URL. */
  static Optional<Request> request(String method, String url, Fields fields, List<String> clients, Body body)
      throws ResponseStatusException {
    int colon = url.indexOf("://");
    String scheme = colon < 0 ? "" : url.substring(0, colon);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      return Optional.empty();
    }
    int end = colon + 3;
    while (end < url.length() && url.charAt(end) != '/' && url.charAt(end) != '?') {
      end++;
    }
    Target.Resource target = Target.readForwarded(url);
    RequestPath path = RequestPath.read(target.path());
    return Authority.parse(url.substring(colon + 3, end))
        .map(host -> new Request(method, scheme, host, path, target.query(), fields, clients, body));
  }
}
