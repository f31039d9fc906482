package portcullis.policy.login;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.crypto.apikeys.ApiKeyFiles;
import portcullis.crypto.keys.KeyRings;
import portcullis.crypto.keys.TrustFiles;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.cache.SharedCache;
import portcullis.policy.cache.UsedOnceMemory;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.limit.Limits;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.ProofMemory;
import portcullis.policy.mechanism.Subject;

/** A login at a strict provider, with browsers that keep cookies as RFC 6265bis says. */
final class LoginBench implements AutoCloseable {
  static final String KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  static final String HOST = "app.example";

  private static final CallLimits LIMITS = new CallLimits(Duration.ofSeconds(2), Duration.ofSeconds(2),
      Duration.ofSeconds(4), 1 << 20);

  final Path keys;
  Instant now = Instant.parse("2026-11-23T12:00:00Z");
  final InstantSource clock = () -> now;
  final StrictProvider provider;
  final SharedCache cache = new SharedCache(new MemoryCache(64 << 20, 0, clock));
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(log);
  private final WireClient client;
  final MechanismContext context;

  LoginBench(Path folder) {
    this(folder, StrictProvider::new);
  }

  LoginBench(Path folder, Function<InstantSource, StrictProvider> made) {
    provider = made.apply(clock);
    keys = folder.resolve("session.keys");
    try {
      Files.writeString(keys, KEY + "\n");
      client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    context = newContext(new LoginState(Integer.MAX_VALUE), cache);
  }

  private MechanismContext newContext(LoginState state, Cache cache) {
    EndpointClient caller = new EndpointClient(ClientPool.of(() -> client), cache, new KeyRings(clock), clock, LIMITS);
    return new MechanismContext(caller, new KeyRings(clock), new ApiKeyFiles(), new TrustFiles(), state,
        ProofMemory.of(new UsedOnceMemory(clock, clock)), Limits.of(clock, Optional.empty()),
        Enforcement.NONE, clock, clock,
        new Log(Level.TRACE, LogFormat.TEXT, writer, clock, ""), false);
  }

  void passes(long seconds) {
    now = now.plusSeconds(seconds);
  }

  String logged() {
    writer.close();
    return log.toString(StandardCharsets.UTF_8);
  }

  String providerYaml(String more) {
    return "{ issuer: '" + provider.issuer() + "', client_id: gate, client_auth: { client_secret: '"
        + StrictProvider.SECRET + "' }" + more + " }";
  }

  String yaml(String session, String more) {
    return "{ providers: [ " + providerYaml("") + " ], session: { keys: '" + keys + "'" + session + " }" + more + " }";
  }

  Mechanism.Authenticator login() {
    return login(yaml("", ""));
  }

  Mechanism.Authenticator login(String yaml) {
    Problems problems = new Problems();
    return made(OidcAuthenticator.TYPE, yaml, context, problems)
        .orElseThrow(() -> new AssertionError(text(problems)));
  }

  /** Another instance with the same keys, and the same cache if it is shared. */
  Mechanism.Authenticator otherInstance(String yaml) {
    return otherInstance(yaml, cache);
  }

  Mechanism.Authenticator otherInstance(String yaml, Cache own) {
    return instance(yaml, new LoginState(Integer.MAX_VALUE), own);
  }

  /** An instance that knows this. */
  Mechanism.Authenticator instance(String yaml, LoginState state, Cache own) {
    Problems problems = new Problems();
    return made(OidcAuthenticator.TYPE, yaml, newContext(state, own), problems)
        .orElseThrow(() -> new AssertionError(text(problems)));
  }

  String problems(String yaml) {
    return problems(yaml, cache);
  }

  String problems(String yaml, Cache own) {
    Problems problems = new Problems();
    made(OidcAuthenticator.TYPE, yaml, newContext(context.logins(), own), problems);
    return text(problems);
  }

  private static String text(Problems problems) {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  private static <C> Optional<Mechanism.Authenticator> made(MechanismType<C, Mechanism.Authenticator> type, String yaml,
      MechanismContext context, Problems problems) {
    return Yaml.read(new SourceFile("f", yaml), problems).flatMap(node -> type.config().decode(node, problems))
        .flatMap(config -> type.maker().make(config, context, problems));
  }

  /** A browser: sends its cookies, and keeps those that it gets. */
  final class Browser {
    final Map<String, String> cookies = new LinkedHashMap<>();
    final List<Field> extra = new ArrayList<>();
    String host = HOST;

    Request request(String method, String target, String body, String... fields) {
      List<Field> all = new ArrayList<>(Fields.of(fields).lines());
      all.addAll(extra);
      if (all.stream().noneMatch(field -> List.of("Sec-Fetch-Site", "Origin", "Referer").contains(field.name()))) {
        all.add(new Field("Sec-Fetch-Site", "none"));
      }
      if (!cookies.isEmpty()) {
        all.add(new Field("Cookie", cookies.entrySet().stream().map(c -> c.getKey() + "=" + c.getValue())
            .collect(Collectors.joining("; "))));
      }
      return LoginBench.request(method, host, target, body, Fields.of(all));
    }

    Response keep(Response response) {
      for (String set : response.fields().all("Set-Cookie")) {
        String[] parts = set.split("; ");
        String name = parts[0].substring(0, parts[0].indexOf('='));
        List<String> attributes = List.of(parts).subList(1, parts.length);
        if (!name.startsWith("__Host-") || !attributes.containsAll(List.of("Path=/", "Secure", "HttpOnly",
            "SameSite=Lax")) || set.contains("Domain") || parts[0].length() > 4096) {
          throw new AssertionError("a browser does not take this cookie: " + set);
        }
        cookies.remove(name);
        if (!attributes.contains("Max-Age=0")) {
          cookies.put(name, parts[0].substring(parts[0].indexOf('=') + 1));
        }
      }
      return response;
    }

    /** Requests an endpoint of the login. */
    Response get(Mechanism.Authenticator login, String target) throws Failure {
      return answered(login, request("GET", target, ""));
    }

    Response answered(Mechanism.Authenticator login, Request request) throws Failure {
      var endpoints = login.endpoints().orElseThrow();
      return keep(endpoints.answer(request).orElseGet(() -> endpoints.otherwise(request)).response());
    }

    /** Starts a login as the challenge does; returns where it leads to. */
    String start(Mechanism.Authenticator login, String returnTo) throws Failure {
      Response response = get(login, "/.portcullis/login?return_to=" + returnTo.replace("&", "%26"));
      return location(response);
    }

    /** Goes through the whole login; returns the last response. */
    Response signIn(Mechanism.Authenticator login, String returnTo) throws Failure {
      return get(login, "/.portcullis/callback?" + provider.authorize(start(login, returnTo)));
    }

    Subject page(Mechanism.Authenticator login) throws Failure {
      Mechanism.Identified identified = login.identify(PipelineState.of(request("GET", "/page", "")));
      keep(Response.of(200).with(identified.response()));
      return identified.subject();
    }

    /** Returns the subject, or the error. */
    String visit(Mechanism.Authenticator login) {
      try {
        return page(login).id();
      } catch (Failure e) {
        return e.report();
      }
    }
  }

  static String location(Response response) {
    return response.fields().first("Location")
        .orElseThrow(() -> new AssertionError(response.status() + " " + new String(response.body(),
            StandardCharsets.UTF_8)));
  }

  /** Returns the response to a request without a session; 401 stands for the default one. */
  static Response challenged(Mechanism.Authenticator login, Request request) {
    try {
      login.identify(PipelineState.of(request));
      throw new AssertionError("accepted");
    } catch (Failure e) {
      return e.find(Failure.Authentication.class).flatMap(f -> f.challenge().of(request)).map(HandlerResponse::answer)
          .orElse(Response.of(401));
    }
  }

  static Request request(String method, String host, String target, String body, Fields fields) {
    try {
      URI url = URI.create(target);
      return new Request(method, "https", Authority.parse(host).orElseThrow(), RequestPath.read(url.getRawPath()),
          Optional.ofNullable(url.getRawQuery()).orElse(""), fields, List.of("127.0.0.1"),
          Body.of(body.getBytes(StandardCharsets.UTF_8), fields.first("Content-Type").orElse("")));
    } catch (ResponseStatusException e) {
      throw new IllegalArgumentException(e);
    }
  }

  @Override
  public void close() {
    provider.close();
    client.close();
    writer.close();
  }
}
