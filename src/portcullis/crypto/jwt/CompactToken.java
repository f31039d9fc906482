package portcullis.crypto.jwt;

import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.util.List;
import java.util.Optional;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.lang.value.Value;

/**
 * A signed token as it came, nothing of it verified; immutable.
 *
 * <p>It has at most 16 KiB, which is checked, like the number of its parts, before anything of it is decoded. Encrypted
 * and compressed tokens, detached payloads, and whatever {@code crit} asks for are not supported. The keys and
 * addresses of keys that a header may hold ({@code jwk}, {@code jku}, {@code x5c}, {@code x5u}) are never looked at.
 *
 * <pre>token = base64url(header) "." base64url(payload) "." base64url(signature)      (RFC 7515, 7.1)</pre>
 */
public final class CompactToken {
  private static final int LONGEST = 16 << 10;
  private static final List<String> UNSUPPORTED = List.of("crit", "b64", "enc", "zip");

  private final String signed;
  private final Value.Dict header;
  private final Value.Dict claims;
  private final byte[] signature;
  private final Algorithm algorithm;
  private final Optional<String> keyId;

  private CompactToken(String signed, byte[] header, byte[] claims, byte[] signature) throws TokenException {
    this.signed = signed;
    this.header = ClaimsJson.read(header, "header");
    this.claims = ClaimsJson.read(claims, "payload");
    this.signature = signature;
    requireSupported();
    algorithm = text("alg").flatMap(Algorithm::named)
        .orElseThrow(() -> TokenException.malformed("its algorithm is not supported"));
    keyId = text("kid").filter(id -> !id.isEmpty());
  }

  public static CompactToken parse(String token) throws TokenException {
    if (token.length() > LONGEST) {
      throw TokenException.malformed("it is longer than " + LONGEST + " bytes");
    }
    int first = token.indexOf('.');
    int second = token.indexOf('.', first + 1);
    if (first < 0 || second < 0 || token.indexOf('.', second + 1) >= 0) {
      throw TokenException.malformed("it does not have three parts");
    }
    return new CompactToken(token.substring(0, second), decoded(token.substring(0, first), "header"),
        decoded(token.substring(first + 1, second), "payload"), decoded(token.substring(second + 1), "signature"));
  }

  private static byte[] decoded(String text, String part) throws TokenException {
    return Base64Url.bytes(text).orElseThrow(() -> TokenException.malformed("its " + part + " is not base64url"));
  }

  private void requireSupported() throws TokenException {
    for (String name : UNSUPPORTED) {
      if (header.get(name).isPresent()) {
        throw TokenException.malformed("its header has `" + name + "`, which is not supported");
      }
    }
  }

  private Optional<String> text(String name) throws TokenException {
    Optional<Value> value = header.get(name);
    if (value.isPresent() && !(value.get() instanceof Value.Str)) {
      throw TokenException.malformed("its " + name + " is not a string");
    }
    return value.map(text -> ((Value.Str) text).value());
  }

  /** Returns the algorithm that the header names; the key decides whether it is acceptable. */
  public Algorithm algorithm() {
    return algorithm;
  }

  /** Returns the key id, which is only ever compared with ids in memory; an empty one counts as none. */
  public Optional<String> keyId() {
    return keyId;
  }

  public Value.Dict header() {
    return header;
  }

  /** Returns an unverified claim, to find the keys of its issuer; never to decide on. */
  public Value.Dict unverifiedClaims() {
    return claims;
  }

  boolean isSignedBy(Key key) {
    return algorithm.verify(key, signed.getBytes(StandardCharsets.US_ASCII), signature);
  }
}
