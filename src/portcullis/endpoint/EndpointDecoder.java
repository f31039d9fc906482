package portcullis.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Parts;
import portcullis.config.Shape;
import portcullis.source.LocatedText;
import portcullis.source.Problems;
import portcullis.template.Template;

/** Reads endpoints: a URL alone, or a mapping with a URL and more. */
public final class EndpointDecoder {
  private static final Key<LocatedText> URL = Key.required("url", Decoders.located(), "where it is; may be a template");
  private static final Key<Optional<String>> METHOD = Key.optional("method", Decoders.nonEmpty(), "the method of calls");
  private static final Key<SequencedMap<String, Template>> HEADERS =
      Key.standard("headers", headers(), new LinkedHashMap<>(), "fields that are sent, templates");
  private static final Key<Optional<Credentials>> AUTH = Key.optional("auth", CredentialsDecoder.decoder(), "how calls are authenticated");
  private static final Key<Optional<Retry>> RETRY = Key.optional("retry", retry(), "when failed calls are made again");
  private static final Key<Endpoint.HttpCache> CACHE = Key.standard("http_cache", cache(), Endpoint.HttpCache.UNSET,
      "whether answers are kept as they allow (RFC 9111)");

  private EndpointDecoder() {}

  public static Decoder<Endpoint> decoder() {
    return with(List.of(), (endpoint, _) -> endpoint);
  }

  /** Endpoints that have more members than others. */
  public static <T> Decoder<T> with(List<Key<?>> more, BiFunction<Endpoint, Parts, T> make) {
    List<Key<?>> keys = new ArrayList<>(List.of(URL, METHOD, HEADERS, AUTH, RETRY, CACHE));
    keys.addAll(more);
    Decoder<T> whole = Decoders.checked("an endpoint", keys, (parts, problems) ->
        template(parts.get(URL), problems).map(url -> make.apply(new Endpoint(parts.get(URL), url, parts.get(METHOD),
            parts.get(HEADERS), parts.get(RETRY), parts.get(AUTH).orElse(Credentials.NONE), parts.get(CACHE)), parts)));
    Shape shape = new Shape.Either(List.of(new Shape.Text("a URL", List.of()), whole.shape()));
    return Decoder.of(shape, (node, problems) -> whole.decode(node instanceof Node.Scalar s ? expanded(s) : node, problems));
  }

  /** The short form written out. */
  private static Node expanded(Node.Scalar url) {
    SequencedMap<String, Node.Member> members = new LinkedHashMap<>();
    members.put(URL.name(), new Node.Member(url.at(), url));
    return new Node.Mapping(url.at(), url.where(), members);
  }

  private static Optional<Template> template(LocatedText url, Problems problems) {
    boolean web = UrlText.check(url, false, problems);
    return web ? Template.compile(url, problems) : Optional.empty();
  }

  private static Decoder<SequencedMap<String, Template>> headers() {
    return Decoders.map(Decoders.located().then((text, _, problems) -> Template.compile(text, problems)));
  }

  private static Decoder<Retry> retry() {
    Key<Duration> longest = Key.standard("give_up_after", Decoders.duration(), Duration.ofSeconds(1), "the longest wait");
    Key<Duration> first = Key.standard("max_delay", Decoders.duration(), Duration.ofMillis(100), "the first wait");
    return Decoders.object("retries", List.of(longest, first), parts -> new Retry(parts.get(first), parts.get(longest)));
  }

  private static Decoder<Endpoint.HttpCache> cache() {
    Key<Optional<Boolean>> enabled = Key.optional("enabled", Decoders.flag(), "whether answers are kept");
    Key<Optional<Duration>> time = Key.optional("default_ttl", Decoders.duration(), "how long where the answer says nothing");
    return Decoders.object("a cache", List.of(enabled, time), parts -> new Endpoint.HttpCache(parts.get(enabled), parts.get(time)));
  }
}
