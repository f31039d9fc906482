package portcullis.policy.login;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLParameters;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.fixture.StubService;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.fixture.TestTls;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** An OpenID provider that refuses whatever is not exactly right, with one user, who always agrees. */
final class StrictProvider implements AutoCloseable {
  static final String CLIENT = "gate";
  static final String SECRET = "s3cr+t %";
  static final String JSON = "Content-Type: application/json;charset=UTF-8";

  private final StubService service;
  private final InstantSource clock;
  private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
  private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();
  private final Map<String, Map<String, String>> pushed = new ConcurrentHashMap<>();
  private final Set<Value> assertions = ConcurrentHashMap.newKeySet();
  private final AtomicInteger number = new AtomicInteger();
  /** What differs from the defaults in the metadata. */
  final Map<String, Value> metadata = new ConcurrentHashMap<>();
  /** What differs from the defaults in ID tokens; null removes a claim. */
  final Map<String, Value> claims = new LinkedHashMap<>();
  KeyEntry key = key("k1");
  String idTokenHeader = "";
  /** How the text of ID tokens is signed. */
  UnaryOperator<String> idTokenSignature = this::signature;
  int lifetime = 60;
  boolean down;
  /** What its endpoints respond instead, by path; whole responses. */
  final Map<String, String> odd = new ConcurrentHashMap<>();
  boolean withRefreshTokens = true;
  String wrongCalls = "";

  /** The key of the client for private_key_jwt. */
  Optional<PublicKey> clientKey = Optional.empty();
  private final boolean mutual;

  StrictProvider(InstantSource clock) {
    this.clock = clock;
    service = new StubService(this::answer);
    mutual = false;
  }

  /** One that knows its client by the certificate of the connection (RFC 8705, 2): there is no other one. */
  StrictProvider(InstantSource clock, TestCertificate own, TestCertificate clients) {
    this.clock = clock;
    SSLParameters parameters = new SSLParameters();
    parameters.setNeedClientAuth(true);
    service = new StubService(TestTls.showing(own, clients), parameters, this::answer);
    mutual = true;
  }

  static KeyEntry key(String id) {
    var pair = TestKeys.ec(256);
    return new KeyEntry(id, pair.getPrivate(), pair.getPublic(), List.of(), Algorithm.ES256);
  }

  String issuer() {
    return service.url("");
  }

  List<StubService.ReceivedRequest> calls(String path) {
    return service.receivedCalls().stream().filter(call -> call.target().equals(path)).toList();
  }

  /** The user signs in and agrees. Returns the query of the callback. */
  String authorize(String location) {
    URI url = URI.create(location);
    Map<String, String> asked = parameters(url.getRawQuery());
    require(location.startsWith(issuer() + "/authorize?"), "the authorization endpoint");
    require(asked.get("client_id").equals(CLIENT), "client_id");
    if (asked.containsKey("request_uri")) {
      require(asked.size() == 2, "nothing beside request_uri");
      asked = pushed.remove(asked.get("request_uri"));
    }
    require(asked.get("response_type").equals("code"), "response_type");
    require(asked.get("code_challenge_method").equals("S256"), "code_challenge_method");
    require(asked.get("code_challenge").length() == 43, "code_challenge");
    require(asked.get("nonce").length() >= 22, "nonce");
    require(List.of(asked.get("scope").split(" ")).contains("openid"), "scope");
    String code = "code-" + number.incrementAndGet();
    codes.put(code, asked);
    return "code=" + code + "&state=" + asked.get("state") + "&iss="
        + URLEncoder.encode(issuer(), StandardCharsets.UTF_8);
  }

  private void require(boolean right, String what) {
    if (!right) {
      throw new AssertionError("the provider refuses: " + what);
    }
  }

  private String answer(StubService.ReceivedRequest call) {
    if (down) {
      return "";
    }
    if (odd.containsKey(call.target())) {
      return odd.get(call.target());
    }
    return switch (call.target()) {
      case "/.well-known/openid-configuration" -> StubService.ok(JsonText.plain(document()));
      case "/jwks" -> StubService.ok(JsonText.plain(Value.dict("keys", Value.of(PublishedKeys.jwk(key)))));
      case "/token" -> token(call);
      case "/par" -> {
        String wrong = authenticated(call, parameters(call.body()));
        if (!wrong.isEmpty()) {
          yield error(wrong);
        }
        String reference = "urn:request:" + number.incrementAndGet();
        pushed.put(reference, parameters(call.body()));
        yield StubService.answer(201, "{\"request_uri\":\"" + reference + "\",\"expires_in\":60}", JSON);
      }
      default -> StubService.answer(404, "");
    };
  }

  private Value.Dict document() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("issuer", Value.of(issuer()));
    out.put("authorization_endpoint", Value.of(issuer() + "/authorize"));
    out.put("token_endpoint", Value.of(issuer() + "/token"));
    out.put("jwks_uri", Value.of(issuer() + "/jwks"));
    out.put("code_challenge_methods_supported", Value.of(Value.of("S256")));
    out.put("authorization_response_iss_parameter_supported", Value.of(true));
    out.putAll(metadata);
    out.values().removeIf(Value.NULL::equals);
    return new Value.Dict(out);
  }

  private String authenticated(StubService.ReceivedRequest call, Map<String, String> form) {
    String pair = CLIENT + ":" + URLEncoder.encode(SECRET, StandardCharsets.UTF_8);
    boolean basic = call.field("Authorization").equals("Basic " + Base64.getEncoder().encodeToString(pair.getBytes()));
    boolean post = form.getOrDefault("client_secret", "").equals(SECRET) && form.get("client_id").equals(CLIENT);
    boolean signed = form.getOrDefault("client_assertion_type", "").endsWith("jwt-bearer")
        && isSigned(form.get("client_assertion"));
    if (mutual) {
      return !basic && !post && !signed && CLIENT.equals(form.get("client_id")) ? "" : "invalid_client";
    }
    return basic ^ post ^ signed ? "" : "invalid_client";
  }

  /** Whether it is an assertion of the client for this provider (RFC 7523, 3). */
  private boolean isSigned(String assertion) {
    try {
      Jwk jwk = new Jwk(Optional.empty(), Optional.of(Algorithm.ES256), clientKey.orElseThrow(), List.of());
      Value.Dict said = Verification.verify(CompactToken.parse(assertion), jwk,
          Set.of(Algorithm.ES256)).claims();
      long now = clock.instant().getEpochSecond();
      return said.get("iss").equals(Optional.of(Value.of(CLIENT))) && said.get("sub").equals(said.get("iss"))
          && said.get("aud").equals(Optional.of(Value.of(issuer())))
          && said.get("exp").orElseThrow() instanceof Value.Int(long end, _) && now < end && end <= now + 300
          && assertions.add(said.get("jti").orElseThrow());
    } catch (TokenException e) {
      throw new AssertionError(e);
    }
  }

  private String error(String code) {
    wrongCalls += code + " ";
    return StubService.answer(400, "{\"error\":\"" + code + "\",\"error_description\":\"no\"}", JSON);
  }

  private String token(StubService.ReceivedRequest call) {
    Map<String, String> form = parameters(call.body());
    String wrong = authenticated(call, form);
    if (!wrong.isEmpty()) {
      return error(wrong);
    }
    if (form.get("grant_type").equals("refresh_token")) {
      String nonce = refreshTokens.remove(form.get("refresh_token"));
      if (nonce == null) {
        refreshTokens.clear();
        return error("invalid_grant");
      }
      return tokens("");
    }
    Map<String, String> asked = codes.remove(form.getOrDefault("code", ""));
    String challenge = Base64Url
        .text(Jca.sha256().digest(form.getOrDefault("code_verifier", "").getBytes(StandardCharsets.US_ASCII)));
    if (asked == null || !asked.get("redirect_uri").equals(form.get("redirect_uri"))
        || !asked.get("code_challenge").equals(challenge)) {
      return error("invalid_grant");
    }
    return tokens(asked.get("nonce"));
  }

  private String tokens(String nonce) {
    Map<String, Value> out = new LinkedHashMap<>();
    int count = number.incrementAndGet();
    out.put("access_token", Value.of("access-" + count));
    out.put("token_type", Value.of("Bearer"));
    out.put("expires_in", Value.of(lifetime));
    if (withRefreshTokens) {
      refreshTokens.put("refresh-" + count, nonce);
      out.put("refresh_token", Value.of("refresh-" + count));
    }
    Map<String, Value> said = new LinkedHashMap<>();
    said.put("sub", Value.of("ann"));
    said.put("sid", Value.of("sid-1"));
    said.put("aud", Value.of(CLIENT));
    if (!nonce.isEmpty()) {
      said.put("nonce", Value.of(nonce));
    }
    out.put("id_token", Value.of(signed(said, claims)));
    return StubService.ok(JsonText.plain(new Value.Dict(out)), JSON);
  }

  /** Returns a token of the provider; null removes a claim. */
  String signed(Map<String, Value> own, Map<String, Value> changed) {
    Map<String, Value> said = new LinkedHashMap<>(own);
    said.put("iss", Value.of(issuer()));
    said.put("iat", Value.of(clock.instant().getEpochSecond()));
    said.put("exp", Value.of(clock.instant().getEpochSecond() + 300));
    said.putAll(changed);
    said.values().removeIf(Value.NULL::equals);
    String header = idTokenHeader.isEmpty() ? "{\"alg\":\"ES256\",\"kid\":\"" + key.id() + "\"}" : idTokenHeader;
    String text = Base64Url.text(header.getBytes(StandardCharsets.UTF_8)) + "."
        + Base64Url.text(JsonText.plain(new Value.Dict(said)).getBytes(StandardCharsets.UTF_8));
    return text + "." + idTokenSignature.apply(text);
  }

  private String signature(String text) {
    return Base64Url.text(Algorithm.ES256.sign(key.privateKey(), text.getBytes(StandardCharsets.US_ASCII)));
  }

  static Map<String, String> parameters(String query) {
    Map<String, String> out = new LinkedHashMap<>();
    for (String pair : query.split("&")) {
      int equals = pair.indexOf('=');
      if (out.put(URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
          URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8)) != null) {
        throw new AssertionError("a parameter is there twice: " + pair.substring(0, equals));
      }
    }
    return out;
  }

  @Override
  public void close() {
    service.close();
  }
}
