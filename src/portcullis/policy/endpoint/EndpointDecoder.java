package portcullis.policy.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.http.message.Grammar;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;

/** Reads endpoints: a URL alone, or a mapping with a URL and more. */
public final class EndpointDecoder {
  private static final Key<LocatedText> URL = Key.required("url", Decoders.located(), "the URL, a template");
  private static final Key<Optional<String>> METHOD = Key.optional("method", method(),
      "the HTTP method; by default GET for keys, metadata and rule sets, else POST");
  private static final Key<SequencedMap<String, Template>> HEADERS = Key.withDefault("headers", headers(),
      new LinkedHashMap<>(), "the header fields of the request, templates");
  private static final Key<Optional<Credentials>> AUTH = Key.optional("auth", CredentialsDecoder.decoder(),
      "how requests to it are authenticated");
  private static final Key<Optional<RetryPolicy>> RETRY = Key.optional("retry", retry(),
      "repeats failed requests: at most five times, within 30 s; by default not at all");
  private static final Key<CallOptions.HttpCache> CACHE = Key.withDefault("http_cache", cache(),
      CallOptions.HttpCache.UNSET,
      "caching of responses (RFC 9111)");

  private EndpointDecoder() {}

  public static Decoder<Endpoint> decoder() {
    return with(List.of(), (endpoint, _) -> endpoint);
  }

  /** Endpoints that have more members than others. */
  public static <T> Decoder<T> with(List<Key<?>> more, BiFunction<Endpoint, DecodedMembers, T> make) {
    List<Key<?>> keys = new ArrayList<>(List.of(URL, METHOD, HEADERS, AUTH, RETRY, CACHE, EndpointTls.KEY));
    keys.addAll(more);
    Decoder<T> whole = Decoders.checked("an endpoint", keys,
        (parts, problems) -> UrlTemplate.compile(parts.get(URL), problems)
            .map(url -> make.apply(new Endpoint(url, parts.get(METHOD), parts.get(HEADERS), options(parts)), parts)));
    Shape shape = new Shape.Either(List.of(new Shape.Text("a URL", List.of()), whole.shape()));
    return Decoder.of(shape,
        (node, problems) -> whole.decode(node instanceof Node.Scalar s ? expanded(s) : node, problems));
  }

  /** Returns how an endpoint is called whose URL is found out elsewhere. */
  public static Decoder<CallOptions> options() {
    return Decoders.object("settings of an endpoint", List.of(AUTH, RETRY, CACHE, EndpointTls.KEY),
        EndpointDecoder::options);
  }

  private static CallOptions options(DecodedMembers parts) {
    return new CallOptions(parts.get(RETRY), parts.get(AUTH).orElse(Credentials.NONE), parts.get(CACHE),
        parts.get(EndpointTls.KEY));
  }

  /** Returns the short form written out. */
  private static Node expanded(Node.Scalar url) {
    SequencedMap<String, Node.Member> members = new LinkedHashMap<>();
    members.put(URL.name(), new Node.Member(url.at(), url));
    return new Node.Mapping(url.at(), url.where(), members);
  }

  private static Decoder<String> method() {
    return Decoders.nonEmpty().then((name, node, problems) -> {
      if (!Grammar.isToken(name) || name.equalsIgnoreCase("CONNECT")) {
        problems.error(node.at(), node.path(), "invalid method `" + Decoders.shortened(name) + "`",
            "as `GET` or `POST`");
        return Optional.empty();
      }
      return Optional.of(name);
    });
  }

  private static Decoder<SequencedMap<String, Template>> headers() {
    Decoder<Template> value = Decoders.located().then((text, _, problems) -> TemplateVariables.compile(text, problems));
    return Decoders.map(value).then((map, node, problems) -> {
      boolean good = true;
      for (Map.Entry<String, Node.Member> member : ((Node.Mapping) node).members().entrySet()) {
        good &= isField(member.getKey(), member.getValue().nameAt(), node.path(), problems);
      }
      return good ? Optional.of(map) : Optional.empty();
    });
  }

  /** Returns whether calls may have a field of that name; adds a problem if not. */
  static boolean isField(String name, Origin at, String path, Problems problems) {
    if (CallHeaders.isOurs(name)) {
      problems.error(at, path, "`" + name + "` cannot be set", "it is written as each connection needs it");
      return false;
    }
    return isToken(name, at, path, problems);
  }

  static boolean isToken(String name, Origin at, String path, Problems problems) {
    boolean good = Grammar.isToken(name);
    if (!good) {
      problems.error(at, path, "invalid name `" + Decoders.shortened(name) + "`", "it is made of letters, "
          + "digits and !#$%&'*+-.^_`|~");
    }
    return good;
  }

  private static Decoder<RetryPolicy> retry() {
    Key<Duration> longest = Key.withDefault("give_up_after", Decoders.duration(), Duration.ofSeconds(1),
        "the longest pause between two attempts");
    Key<Duration> first = Key.withDefault("max_delay", Decoders.duration(), Duration.ofMillis(100),
        "the pause before the first repetition; each further one is twice as long");
    return Decoders.object("retries", List.of(longest, first),
        parts -> new RetryPolicy(parts.get(first), parts.get(longest)));
  }

  private static Decoder<CallOptions.HttpCache> cache() {
    Key<Optional<Boolean>> enabled = Key.optional("enabled", Decoders.flag(),
        "whether responses are cached; by default only metadata and rule sets");
    Key<Optional<Duration>> time = Key.optional("default_ttl", Decoders.duration(),
        "how long responses without a lifetime of their own are cached");
    return Decoders.object("a cache", List.of(enabled, time),
        parts -> new CallOptions.HttpCache(parts.get(enabled), parts.get(time)));
  }
}
