package portcullis.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Parts;
import portcullis.config.PlainValues;
import portcullis.config.Yaml;
import portcullis.http.message.Fields;
import portcullis.http.message.Refusal;
import portcullis.http.message.Request;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/** A request that somebody has written down. */
final class RequestFile {
  private static final Key<String> METHOD = Key.withDefault("method", Decoders.nonEmpty(), "GET", "the method");
  private static final Key<LocatedText> URL = Key.required("url", Decoders.located(), "a whole URL");
  private static final Key<SequencedMap<String, Value>> HEADERS = Key.withDefault("headers",
      Decoders.map(PlainValues.decoder()),
      new LinkedHashMap<>(), "a text for each field, or a list of texts");
  private static final Key<Optional<Value>> BODY = Key.optional("body", PlainValues.decoder(),
      "a text, else it is sent as JSON");
  private static final Key<List<String>> CLIENTS = Key.withDefault("client", Decoders.list(Decoders.text()),
      List.of("127.0.0.1"),
      "addresses from the client to the peer");
  private static final Decoder<Request> REQUEST = Decoders.checked("a request",
      List.of(METHOD, URL, HEADERS, BODY, CLIENTS), RequestFile::request);

  private RequestFile() {}

  /** Empty exactly if an error was added. */
  static Optional<Request> read(String name, Problems problems) {
    long before = problems.errors();
    Optional<Request> request = TextFile.read("request file", name, problems).flatMap(file -> Yaml.read(file, problems))
        .flatMap(node -> REQUEST.decode(node, problems));
    if (request.isEmpty() && problems.errors() == before) {
      problems.error(Origin.BUILT_IN, "", "the request file `" + name + "` is empty", "it needs an `url`");
    }
    return request;
  }

  private static Optional<Request> request(Parts p, Problems problems) {
    Fields fields = EvaluationContext.fields(p.get(HEADERS));
    Optional<Request> request = Optional.empty();
    String why = "";
    try {
      request = EvaluationContext.request(p.get(METHOD), p.get(URL).text(), fields, p.get(CLIENTS),
          EvaluationContext.body(p.get(BODY), fields));
    } catch (Refusal e) {
      why = ": " + e.getMessage();
    }
    if (request.isEmpty()) {
      problems.error(p.at(URL), "url", "this is no URL of a request" + why,
          "as `https://app.example/orders/42?page=2`");
    }
    return request;
  }
}
