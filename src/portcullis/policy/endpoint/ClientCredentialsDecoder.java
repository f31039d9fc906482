package portcullis.policy.endpoint;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;

/** Reads where access tokens come from, and where they are put. */
public final class ClientCredentialsDecoder {
  private static final Key<LocatedText> URL = Key.required("token_url", Decoders.located(),
      "the token endpoint");
  private static final Key<String> ID = Key.required("client_id", Decoders.nonEmpty(), "the client's identifier");
  private static final Key<String> SECRET = Key.required("client_secret", Decoders.nonEmpty(), "the client's secret");
  private static final Key<AuthMethod> METHOD = Key.withDefault("auth_method", method(), AuthMethod.BASIC_AUTH,
      "how the client authenticates");
  private static final Key<List<String>> SCOPES = Key.withDefault("scopes", Decoders.list(Decoders.text()), List.of(),
      "the requested scopes");
  private static final Key<Optional<Duration>> TIME = Key.optional("cache_ttl", Decoders.duration(),
      "the maximum time a token is cached");

  private enum AuthMethod {
    BASIC_AUTH, REQUEST_BODY
  }

  private ClientCredentialsDecoder() {}

  /** The field that a token is put into. */
  public record Header(String name, Optional<String> scheme) {
    /** Returns a header with the other's scheme if this one has none. */
    public Header or(Optional<Header> other) {
      return new Header(name, scheme.or(() -> other.flatMap(Header::scheme)));
    }
  }

  /** Sources of tokens with more members beside them. */
  public static <T> Decoder<T> with(List<Key<?>> more, BiFunction<ClientCredentials, DecodedMembers, T> make) {
    List<Key<?>> keys = new ArrayList<>(List.of(URL, ID, SECRET, METHOD, SCOPES, TIME, EndpointTls.KEY));
    keys.addAll(more);
    return Decoders.checked("settings", keys, (parts, problems) -> {
      if (!Urls.check(parts.get(URL), false, problems) || !Urls.plain(parts.get(URL), problems)) {
        return Optional.empty();
      }
      return Optional.of(make.apply(new ClientCredentials(parts.get(URL), parts.get(ID), parts.get(SECRET),
          parts.get(METHOD) == AuthMethod.REQUEST_BODY, parts.get(SCOPES), parts.get(TIME), parts.get(EndpointTls.KEY)),
          parts));
    });
  }

  public static Decoder<Header> header() {
    Key<String> name = Key.required("name", Decoders.nonEmpty(), "the field's name");
    Key<Optional<String>> scheme = Key.optional("scheme", Decoders.text(), "the scheme in front of the token");
    return Decoders.checked("a header", List.of(name, scheme),
        (parts, problems) -> EndpointDecoder.isField(parts.get(name), parts.at(name), parts.node().path(), problems)
            && isScheme(parts.get(scheme).orElse(""), parts.at(scheme), parts.node().path(), problems)
                ? Optional.of(new Header(parts.get(name), parts.get(scheme)))
                : Optional.empty());
  }

  private static boolean isScheme(String text, Origin at, String path, Problems problems) {
    boolean good = text.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    if (!good) {
      problems.error(at, path, "`" + Decoders.shortened(text) + "` is not allowed in a header field", "as `Bearer`");
    }
    return good;
  }

  private static Decoder<AuthMethod> method() {
    SequencedMap<String, AuthMethod> methods = new LinkedHashMap<>();
    methods.put("basic_auth", AuthMethod.BASIC_AUTH);
    methods.put("request_body", AuthMethod.REQUEST_BODY);
    return Decoders.choice(methods);
  }
}
