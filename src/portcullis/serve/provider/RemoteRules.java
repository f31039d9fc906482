package portcullis.serve.provider;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.MediaType;
import portcullis.lang.source.Redaction;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.endpoint.EndpointResponse;
import portcullis.serve.bundle.SignedBundle;

/**
 * A rule set that is fetched from an endpoint; immutable and thread safe.
 *
 * @param signed whether it has to be a signed bundle
 */
record RemoteRules(Endpoint endpoint, String name, boolean signed) {
  /** The default HTTP caching: responses are cached, to be revalidated by each fetch. */
  private static final CallOptions.HttpCache KEEPING = new CallOptions.HttpCache(Optional.of(true), Optional.empty());
  private static final Set<String> TYPES = Set.of("application/yaml", "application/json");
  private static final Set<String> CHARSETS = Set.of("utf-8", "us-ascii");
  private static final Set<Integer> GONE = Set.of(204, 404, 410);

  /** Creates a rule set that is named by its URL without secrets. */
  static RemoteRules of(Endpoint endpoint, boolean signed) {
    return new RemoteRules(endpoint.withDefaultCache(KEEPING), Redaction.of(endpoint.url().text().text()), signed);
  }

  /** Thrown when a rule set cannot be fetched; an expected outcome, so without stack trace. */
  static final class FetchException extends Exception {
    private static final long serialVersionUID = 1;

    FetchException(String message) {
      super(message, null, false, false);
    }
  }

  /** Returns the name of the rule set. */
  String source() {
    return "http_endpoint:" + name;
  }

  /** Fetches the rule set; the result has no text if the endpoint responds that there is none. */
  Change fetched(EndpointClient caller) throws FetchException {
    try {
      EndpointRequest request = endpoint.request(Value.Dict.EMPTY).defaultMethod("GET").defaultHeader("Accept",
          "application/yaml, application/json")
          .defaultHeader("Cache-Control", "no-cache"); // whatever age the server allows: the interval counts
      return new Change(source(), text(endpoint.send(request, caller)));
    } catch (CallFailure e) {
      throw new FetchException(e.getMessage());
    }
  }

  private Optional<SourceFile> text(EndpointResponse reply) throws FetchException {
    if (GONE.contains(reply.status())) {
      return Optional.empty();
    }
    if (reply.status() != 200) {
      throw new FetchException("unexpected response code: " + reply.status());
    }
    String text = decoded(reply);
    if (text.isBlank()) {
      return Optional.empty();
    }
    if (SignedBundle.isBundle(text)) {
      return Optional.of(new SourceFile(name, text)); // whatever type the server has for the file
    }
    if (signed) {
      throw new FetchException("the response is not a bundle, which `portcullis bundle sign` writes and "
          + "`require_signature` asks for");
    }
    Optional<MediaType> type = MediaType.parse(reply.contentType());
    if (type.isEmpty() || !TYPES.contains(type.get().essence())) {
      throw new FetchException(
          "the response has type `" + reply.contentType() + "`, application/yaml or application/json is required");
    }
    String charset = type.get().parameters().getOrDefault("charset", "utf-8");
    if (CHARSETS.stream().noneMatch(charset::equalsIgnoreCase)) {
      throw new FetchException("the response is encoded in `" + charset + "`, utf-8 is required");
    }
    return Optional.of(new SourceFile(name, text));
  }

  private static String decoded(EndpointResponse reply) throws FetchException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(reply.body())).toString();
    } catch (CharacterCodingException _) {
      throw new FetchException("the response is not UTF-8");
    }
  }

  /** Returns the rule sets of a configuration, with unique names. */
  static List<RemoteRules> all(Providers.Remote settings) {
    List<RemoteRules> out = new ArrayList<>();
    Map<String, Integer> names = new HashMap<>();
    for (Endpoint endpoint : settings.endpoints()) {
      RemoteRules one = of(endpoint, settings.signature().isPresent());
      int number = names.merge(one.name, 1, Integer::sum);
      out.add(number == 1 ? one : new RemoteRules(one.endpoint, one.name + " (" + number + ")", one.signed));
    }
    return List.copyOf(out);
  }
}
