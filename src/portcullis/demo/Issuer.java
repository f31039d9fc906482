package portcullis.demo;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import portcullis.crypto.jwt.TokenSigner;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.lang.value.Value;

/** Issues bearer tokens and publishes the key that verifies them. */
final class Issuer {
  private static final Duration TTL = Duration.ofHours(8);

  private final TokenSigner signer;
  private final String keys;
  private final InstantSource clock;

  /** @param name claim {@code iss} of the tokens */
  Issuer(KeyEntry key, String name, InstantSource clock) {
    try {
      this.signer = TokenSigner.of(key, name);
      this.keys = PublishedKeys.of(List.of(key)).json();
      this.clock = clock;
    } catch (KeyMaterialException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Returns a token for the person that is valid for eight hours. */
  String token(Person person) {
    return signer.sign(Value.dict("name", Value.of(person.name())), person.id(), clock.instant(), TTL);
  }

  /** Returns the key set (RFC 7517, 5). */
  String keys() {
    return keys;
  }
}
