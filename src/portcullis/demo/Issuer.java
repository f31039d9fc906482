package portcullis.demo;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.TokenSigner;
import portcullis.crypto.jwt.Verification;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.lang.value.Value;

/** Issues tokens and publishes the key that verifies them. */
final class Issuer {
  /** The audience of bearer tokens, which distinguishes them from ID tokens. */
  static final String API = "api";

  private static final Duration TTL = Duration.ofHours(8);

  private final TokenSigner signer;
  private final KeyEntry key;
  private final String keys;
  private final String name;
  private final InstantSource clock;

  /** @param name claim {@code iss} of the tokens */
  Issuer(KeyEntry key, String name, InstantSource clock) {
    try {
      this.signer = TokenSigner.of(key, name);
      this.keys = PublishedKeys.of(List.of(key)).json();
      this.key = key;
      this.name = name;
      this.clock = clock;
    } catch (KeyMaterialException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  String name() {
    return name;
  }

  /** Returns a bearer token for the person that is valid for eight hours. */
  String token(Person person) {
    Map<String, Value> claims = new LinkedHashMap<>(Value.dict("aud", Value.of(API)).members());
    claims.put("name", Value.of(person.name()));
    return signer.sign(new Value.Dict(claims), person.id(), clock.instant(), TTL);
  }

  /** Returns an ID token (OpenID Connect Core 1.0, 2). */
  String idToken(Person person, String client, String nonce) {
    Map<String, Value> claims = new LinkedHashMap<>(person.claims().members());
    claims.put("aud", Value.of(client));
    claims.put("nonce", Value.of(nonce));
    return signer.sign(new Value.Dict(claims), person.id(), clock.instant(), TTL);
  }

  /** Returns whom a bearer token is of that has not expired. */
  Optional<Person> person(String token) {
    try {
      Jwk jwk = new Jwk(Optional.of(key.id()), Optional.of(key.algorithm()), key.publicKey(), key.chain());
      Value.Dict claims = Verification.verify(CompactToken.parse(token), jwk, Set.of(key.algorithm())).claims();
      boolean isValid = claims.get("aud").filter(Value.of(API)::equals).isPresent()
          && claims.get("exp").orElse(Value.NULL) instanceof Value.Int(long end, _)
          && clock.instant().getEpochSecond() < end;
      return claims.get("sub").filter(_ -> isValid)
          .flatMap(sub -> sub instanceof Value.Str(String id) ? Person.withId(id) : Optional.empty());
    } catch (TokenException _) {
      return Optional.empty();
    }
  }

  /** Returns the key set (RFC 7517, 5). */
  String keys() {
    return keys;
  }
}
