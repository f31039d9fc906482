package portcullis.policy.login;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.jwt.Leeway;
import portcullis.http.message.Authority;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.LoginState;

/**
 * The settings of a login.
 *
 * @param allowedHosts the hosts besides that of the request to which a login or logout may return, in lower case
 * @param leeway by how much clocks of providers may differ
 */
record LoginSettings(List<ProviderSettings> providers, SessionSettings session, Set<String> allowedHosts,
    Duration leeway) {
  /**
   * The settings of sessions.
   *
   * @param keys the file of the keys that seal them
   * @param cookie the name of the cookie without its prefix
   * @param inCache whether sessions are in the cache rather than in cookies
   * @param storeAt where that is written
   * @param tokens the tokens that rules may read
   * @param grace how long a session goes on without a due refresh while the provider does not answer
   */
  record SessionSettings(LocatedText keys, String cookie, boolean inCache, Place storeAt, Duration idle,
      Duration absolute, Set<Token> tokens, Duration grace) {}

  /** A place in the configuration. */
  record Place(Origin at, String path) {}

  /** A token that rules may read as an attribute of the subject. */
  enum Token {
    ACCESS_TOKEN, ID_TOKEN;

    /** Returns the name of the attribute. */
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Pattern COOKIE = Pattern.compile("[A-Za-z0-9_-]{1,32}");
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  static Decoder<LoginSettings> decoder() {
    Key<List<ProviderSettings>> providers = Key.required("providers", Decoders.list(ProviderSettings.decoder(), 1),
        "the OpenID providers; users choose one of several");
    Key<SessionSettings> session = Key.required("session", sessionDecoder(), "how sessions are kept");
    Key<List<String>> hosts = Key.withDefault("allowed_hosts", Decoders.list(host()), List.of(),
        "hosts that a login or logout may return to besides the one of the request");
    Key<Duration> leeway = Key.withDefault("validity_leeway", Leeway.bounded(), Duration.ofSeconds(10),
        "by how much the clocks of providers may differ");
    return Decoders.checked("settings", List.of(providers, session, hosts, leeway), (p, problems) -> {
      Set<String> ids = new HashSet<>();
      for (ProviderSettings provider : p.get(providers)) {
        if (!ids.add(provider.id())) {
          problems.error(p.at(providers), p.node().path(), "two providers have the id `" + provider.id() + "`",
              "ids are unique: set `id`");
          return Optional.empty();
        }
      }
      return Optional.of(new LoginSettings(p.get(providers), p.get(session), Set.copyOf(p.get(hosts)), p.get(leeway)));
    });
  }

  private static Decoder<SessionSettings> sessionDecoder() {
    Decoder<LocatedText> path = Decoders.nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node));
    Key<LocatedText> keys = Key.required("keys", path,
        "a file of keys, one a line, each of 64 hexadecimal digits; the first one seals, all of them open");
    Key<String> cookie = Key.withDefault("cookie", cookie(), "portcullis",
        "the name of the cookie, behind `__Host-`");
    Key<String> store = Key.withDefault("store", Decoders.oneOf("cookie", "cache"), "cookie",
        "where sessions are: `cookie`, or `cache`, which should be Redis");
    Key<Duration> idle = Key.withDefault("idle_timeout", time(), Duration.ofHours(1),
        "when a session without requests ends");
    Key<Duration> absolute = Key.withDefault("absolute_timeout", time(), Duration.ofHours(12),
        "when a session ends in any case, at most 30 days");
    Key<List<String>> tokens = Key.withDefault("tokens",
        Decoders.list(Decoders.oneOf("access_token", "id_token")), List.of(),
        "the tokens that rules may read as attributes of the subject");
    Key<Duration> grace = Key.withDefault("refresh_grace", Decoders.duration(), Duration.ofMinutes(5),
        "how long a session goes on without a due refresh while the provider cannot be used");
    return Decoders.checked("a session", List.of(keys, cookie, store, idle, absolute, tokens, grace),
        (p, problems) -> {
          if (p.has(idle) && p.get(idle).compareTo(p.get(absolute)) > 0) {
            problems.error(p.at(idle), p.path(idle), "is longer than `absolute_timeout`, which ends the session before",
                "write a shorter one, or a longer `absolute_timeout`; its default is 12h");
            return Optional.empty();
          }
          return Optional.of(new SessionSettings(p.get(keys), p.get(cookie), p.get(store).equals("cache"),
              new Place(p.at(store), p.path(store)), p.get(idle), p.get(absolute), tokens(p.get(tokens)),
              p.get(grace)));
        });
  }

  private static Set<Token> tokens(List<String> names) {
    return Set.copyOf(Stream.of(Token.values()).filter(token -> names.contains(token.text())).toList());
  }

  private static Decoder<Duration> time() {
    return Decoders.duration().then((time, node, problems) -> {
      if (time.compareTo(SHORTEST) < 0 || time.compareTo(LoginState.LONGEST_SESSION) > 0) {
        problems.error(node.at(), node.path(), "must be between 1s and 720h, which are 30 days", "as `12h`");
        return Optional.empty();
      }
      return Optional.of(time);
    });
  }

  private static Decoder<String> cookie() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      if (text.startsWith("__")) {
        problems.error(node.at(), node.path(), "the login puts `__Host-` before the name of the cookie",
            "write the rest of the name only");
        return Optional.empty();
      }
      if (COOKIE.matcher(text).matches()) {
        return Optional.of(text);
      }
      problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a name for the cookie",
          "1 to 32 letters, digits, hyphens and underscores");
      return Optional.empty();
    });
  }

  private static Decoder<String> host() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      Optional<Authority> host = Authority.parse(text);
      if (text.contains("*")) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` has a wildcard, which has no effect "
            + "here", "list each host, as `app.example`");
        return Optional.empty();
      }
      if (host.isEmpty()) {
        problems.error(node.at(), node.path(), "invalid host `" + Decoders.shortened(text) + "`",
            "as in `app.example` or `app.example:8443`");
      }
      return host.map(authority -> authority.lower().toString());
    });
  }

  /** Returns a name for everything that is sealed: values of another login are not accepted. */
  String identity() {
    Stream<String> parts = providers.stream()
        .flatMap(provider -> Stream.of(provider.id(), provider.issuer().text(), provider.clientId()));
    return CacheKey.of("login", Stream.concat(Stream.of(session.cookie()), parts).toList()).hash();
  }

  /** Returns the path of the callback: that of the provider if there are several, against mix-up (RFC 9700, 4.4). */
  String callback(ProviderSettings provider) {
    return providers.size() == 1 ? LoginEndpoints.CALLBACK : LoginEndpoints.CALLBACK + "/" + provider.id();
  }
}
