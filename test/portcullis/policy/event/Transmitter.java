package portcullis.policy.event;

import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.fixture.StubService;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** An issuer that signs logout tokens and security events, and publishes its key while it is not down. */
final class Transmitter implements AutoCloseable {
  static final String ISSUER = "https://idp.example";

  private final KeyEntry key = key();
  private final StubService service;
  private final InstantSource clock;
  boolean down;

  Transmitter(InstantSource clock) {
    this.clock = clock;
    service = new StubService(_ -> down ? StubService.answer(500, "")
        : StubService.ok(JsonText.plain(Value.dict("keys", Value.of(PublishedKeys.jwk(key))))));
  }

  private static KeyEntry key() {
    KeyPair pair = TestKeys.ec(256);
    return new KeyEntry("k", pair.getPrivate(), pair.getPublic(), List.of(), Algorithm.ES256);
  }

  String jwks() {
    return service.url("/jwks");
  }

  /** Returns how often its keys were fetched. */
  int fetches() {
    return service.receivedCalls().size();
  }

  /** Returns a logout token; a claim that is NULL is left out. */
  String logout(Map<String, Value> changed) {
    return logout("logout+jwt", changed);
  }

  String logout(String type, Map<String, Value> changed) {
    Map<String, Value> claims = common();
    claims.put("sid", Value.of("s1"));
    claims.put("events", Value.dict(EventKind.LOGOUT_EVENT, Value.Dict.EMPTY));
    return signed(header("ES256", type), claims, changed);
  }

  /** Returns an event that a session was revoked. */
  String event(Map<String, Value> changed) {
    return event("secevent+jwt", changed);
  }

  String event(String type, Map<String, Value> changed) {
    Map<String, Value> claims = common();
    claims.put("sub_id", subject("iss_sub", "iss", ISSUER, "sub", "u1"));
    claims.put("events", Value.dict(EventKind.SESSION_REVOKED, Value.Dict.EMPTY));
    return signed(header("ES256", type), claims, changed);
  }

  /** Returns a subject identifier. */
  static Value.Dict subject(String format, String... members) {
    Map<String, Value> out = new LinkedHashMap<>(Map.of("format", Value.of(format)));
    for (int i = 0; i < members.length; i += 2) {
      out.put(members[i], Value.of(members[i + 1]));
    }
    return new Value.Dict(out);
  }

  private Map<String, Value> common() {
    long now = clock.instant().getEpochSecond();
    return new LinkedHashMap<>(Map.of("iss", Value.of(ISSUER), "aud", Value.of("shop"), "iat", Value.of(now), "jti",
        Value.of("j1")));
  }

  static String header(String algorithm, String type) {
    return "{\"alg\":\"" + algorithm + "\",\"kid\":\"k\"" + (type.isEmpty() ? "" : ",\"typ\":\"" + type + "\"") + "}";
  }

  String signed(String header, Map<String, Value> claims, Map<String, Value> changed) {
    Map<String, Value> all = new LinkedHashMap<>(claims);
    all.putAll(changed);
    all.values().removeIf(Value.NULL::equals);
    String text = encoded(header) + "." + encoded(JsonText.plain(new Value.Dict(all)));
    return text + "."
        + Base64Url.text(Algorithm.ES256.sign(key.privateKey(), text.getBytes(StandardCharsets.US_ASCII)));
  }

  private static String encoded(String text) {
    return Base64Url.text(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    service.close();
  }
}
