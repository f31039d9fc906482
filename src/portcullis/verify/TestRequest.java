package portcullis.verify;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.config.Yaml;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.NameSet;
import portcullis.lang.address.Network;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.serve.service.DryRun;

/** Reads the request of a case: a mapping, or a line like {@code POST https://app.example/x -H 'A: b' -d '{}'}. */
public final class TestRequest {
  private static final String LOOPBACK = "127.0.0.1";
  private static final Key<String> METHOD = Key.withDefault("method", Decoders.nonEmpty(), "GET", "method");
  private static final Key<String> URL = Key.required("url", Decoders.nonEmpty(), "absolute URL");
  private static final Key<SequencedMap<String, Value>> HEADERS = Key.withDefault("headers",
      Decoders.map(PlainValues.decoder()), new LinkedHashMap<>(), "header fields, each a string or a list of strings");
  private static final Key<Optional<Value>> BODY = Key.optional("body", PlainValues.decoder(),
      "a string, anything else is sent as JSON");
  private static final Key<String> CLIENT = Key.withDefault("client", Decoders.nonEmpty(), LOOPBACK,
      "address of the client's end of the connection");

  private TestRequest() {}

  static Decoder<DryRun.Draft> decoder() {
    Decoder<DryRun.Draft> mapping = Decoders.checked("a request", List.of(METHOD, URL, HEADERS, BODY, CLIENT),
        TestRequest::request);
    return Decoder.of(mapping.shape(), (node, problems) -> node instanceof Node.Scalar line ? line(line, problems)
        : mapping.decode(node, problems));
  }

  /** Reads a file with the mapping or the line; empty exactly if an error was added. */
  public static Optional<DryRun.Draft> read(SourceFile file, Problems problems) {
    long before = problems.errors();
    Optional<DryRun.Draft> draft = Yaml.read(file, problems).flatMap(node -> decoder().decode(node, problems));
    if (draft.isEmpty() && problems.errors() == before) {
      problems.error(Origin.BUILT_IN, "", "the request file `" + file.name() + "` is empty", "it needs `url`");
    }
    return draft;
  }

  private static Optional<DryRun.Draft> request(DecodedMembers p, Problems problems) {
    Optional<Value> body = p.get(BODY);
    Fields fields = fields(p.get(HEADERS), body);
    if (!areSendable(fields, p, problems)) {
      return Optional.empty();
    }
    Optional<InetAddress> peer = address(p.get(CLIENT));
    if (peer.isEmpty()) {
      problems.error(p.at(CLIENT), p.node().path() + ".client", "`" + p.get(CLIENT) + "` is not an address",
          "for example `192.0.2.7` or `2001:db8::7`");
    }
    return peer.map(address -> draft(p.get(METHOD), p.get(URL), fields, address, bytes(body)));
  }

  private static boolean areSendable(Fields fields, DecodedMembers p, Problems problems) {
    long before = problems.errors();
    for (Field field : fields) {
      if (!Grammar.isToken(field.name()) || !Grammar.isFieldValue(Grammar.trimmed(field.value()))) {
        problems.error(p.at(HEADERS), p.node().path() + ".headers", Grammar.isToken(field.name())
            ? "the value of `" + field.name() + "` has a control character"
            : "`" + field.name() + "` is not a field name",
            "no client can send it");
      }
    }
    return problems.errors() == before;
  }

  private static Optional<InetAddress> address(String text) {
    try {
      return Network.parse(text).isEmpty() ? Optional.empty() : Optional.of(InetAddress.getByName(text));
    } catch (UnknownHostException _) {
      return Optional.empty();
    }
  }

  /** Fields by name, each a string or a list of strings, with the type of a body that is JSON. */
  public static Fields fields(SequencedMap<String, Value> headers, Optional<Value> body) {
    List<Field> out = new ArrayList<>();
    headers.forEach((name, value) -> {
      List<Value> values = value instanceof Value.Array a ? a.items() : List.of(value);
      values.forEach(
          v -> out.add(new Field(name, Grammar.wire(v instanceof Value.Str t ? t.value() : JsonText.plain(v)))));
    });
    Fields fields = Fields.of(out);
    boolean json = body.isPresent() && !(body.get() instanceof Value.Str) && !fields.has("Content-Type");
    return json ? fields.with("Content-Type", "application/json") : fields;
  }

  /** Returns a string as it is, anything else as JSON. */
  public static byte[] bytes(Optional<Value> body) {
    return body.map(Expected::text).orElse("").getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<DryRun.Draft> line(Node.Scalar line, Problems problems) {
    try {
      return Optional.of(curl(words(line.text())));
    } catch (IllegalArgumentException e) {
      problems.error(line.at(), line.path(), e.getMessage(),
          "for example `GET https://app.example/orders/42 -H 'Accept: text/html'`");
      return Optional.empty();
    }
  }

  /**
   * A request of words as curl takes them: {@code [METHOD] URL} with {@code -X}, {@code -H}, {@code -b}, {@code -u} and
   * {@code -d}.
   *
   * @throws IllegalArgumentException where the words are not a request; the message says why
   */
  public static DryRun.Draft curl(List<String> words) {
    Optional<String> method = Optional.empty();
    Optional<String> url = Optional.empty();
    Optional<String> body = Optional.empty();
    List<Field> fields = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals("curl") && i == 0) {
        continue;
      }
      if (!word.startsWith("-")) {
        boolean first = method.isEmpty() && url.isEmpty() && Grammar.isToken(word) && i + 1 < words.size();
        if (first) {
          method = Optional.of(word);
        } else if (url.isEmpty()) {
          url = Optional.of(word);
        } else {
          throw new IllegalArgumentException("`" + word + "` is not expected behind the URL");
        }
        continue;
      }
      if (i + 1 == words.size()) {
        throw new IllegalArgumentException("`" + word + "` needs a value");
      }
      String value = words.get(++i);
      switch (word) {
        case "-X", "--request" -> method = Optional.of(value);
        case "-H", "--header" -> fields.add(header(value));
        case "-b", "--cookie" -> fields.add(field("Cookie", Grammar.wire(Grammar.trimmed(value))));
        case "-u", "--user" -> fields.add(new Field("Authorization", "Basic "
            + Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        case "-d", "--data", "--data-raw" -> body = Optional.of(body.map(b -> b + "&").orElse("") + value);
        default -> throw new IllegalArgumentException("`" + word + "` is not one of -X, -H, -b, -u and -d");
      }
    }
    if (url.isEmpty()) {
      throw new IllegalArgumentException("the request has no URL");
    }
    Fields all = Fields.of(fields);
    if (body.isPresent() && !all.has("Content-Type")) {
      all = all.with("Content-Type", "application/x-www-form-urlencoded");
    }
    return draft(method.orElse(body.isPresent() ? "POST" : "GET"), url.get(), all, address(LOOPBACK).orElseThrow(),
        body.orElse("").getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the request; its field {@code Host}, if there is one, is the host of the URL, as with curl. */
  private static DryRun.Draft draft(String method, String url, Fields fields, InetAddress peer, byte[] body) {
    String host = fields.first("Host").orElse("");
    int from = url.indexOf("://") + 3;
    if (host.isEmpty() || from < 3) {
      return new DryRun.Draft(method, url, fields, peer, body);
    }
    int end = from;
    while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    return new DryRun.Draft(method, url.substring(0, from) + host + url.substring(end),
        fields.without(field -> NameSet.areSame(field.name(), "Host")), peer, body);
  }

  private static Field header(String text) {
    int colon = text.indexOf(':');
    if (colon <= 0 || !Grammar.isToken(text.substring(0, colon))) {
      throw new IllegalArgumentException("`" + text + "` is not a header field, like `Accept: text/html`");
    }
    return field(text.substring(0, colon), Grammar.wire(Grammar.trimmed(text.substring(colon + 1))));
  }

  private static Field field(String name, String value) {
    if (!Grammar.isFieldValue(value)) {
      throw new IllegalArgumentException(
          "the value of `" + name + "` has a control character, which no client can send");
    }
    return new Field(name, value);
  }

  /**
   * Returns the words of a line; quotes as in a shell, {@code '…'} literally and {@code "…"} with {@code \} for
   * escapes.
   */
  private static List<String> words(String line) {
    List<String> out = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean begun = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0 && c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
        begun = true;
      } else if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        word.append(line.charAt(++i));
        begun = true;
      } else if (quote == 0 && Character.isWhitespace(c)) {
        if (begun) {
          out.add(word.toString());
        }
        word.setLength(0);
        begun = false;
      } else {
        word.append(c);
        begun = true;
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quote `" + quote + "` is not closed");
    }
    if (begun) {
      out.add(word.toString());
    }
    return out;
  }
}
