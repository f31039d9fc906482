package portcullis.crypto.jwt;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.value.Value;

/**
 * A DPoP proof (RFC 9449, 4.2) whose signature is that of the key in its header; what it claims is not checked.
 *
 * @param thumbprint the SHA-256 thumbprint of the key (RFC 7638)
 */
public record DpopProof(String thumbprint, Value.Dict claims) {
  private static final String TYPE = "dpop+jwt";
  private static final Pattern BASE64URL = Pattern.compile("[A-Za-z0-9_-]+");
  /** The required members by type of key, in their order (RFC 7638, 3.2; RFC 8037, 2). */
  private static final Map<String, List<String>> REQUIRED = Map.of("EC", List.of("crv", "kty", "x", "y"), "RSA",
      List.of("e", "kty", "n"), "OKP", List.of("crv", "kty", "x"));
  /** The members of private and secret keys (RFC 7518, 6). */
  private static final List<String> PRIVATE = List.of("d", "p", "q", "dp", "dq", "qi", "oth", "k");

  /**
   * Reads a proof and verifies its signature.
   *
   * @param allowed the accepted algorithms; symmetric ones never are
   * @throws TokenException if it is not a valid proof
   */
  public static DpopProof read(String text, Set<Algorithm> allowed) throws TokenException {
    CompactToken token = CompactToken.parse(text);
    if (!token.header().get("typ").orElse(Value.NULL).equals(Value.of(TYPE))) {
      throw TokenException.refused("the type of the proof is not " + TYPE);
    }
    if (token.algorithm().isSymmetric()) {
      throw TokenException.refused(token.algorithm().text() + " algorithm is not allowed");
    }
    if (!(token.header().get("jwk").orElse(Value.NULL) instanceof Value.Dict jwk)) {
      throw TokenException.refused("the header of the proof has no key");
    }
    if (PRIVATE.stream().anyMatch(name -> jwk.get(name).isPresent())) {
      throw TokenException.refused("the key in the proof is not a public one");
    }
    return new DpopProof(thumbprint(jwk), Verification.verify(token, key(jwk, token.algorithm()), allowed).claims());
  }

  /** Returns the key for this algorithm, unless it says that it is for another one. */
  private static Jwk key(Value.Dict jwk, Algorithm algorithm) throws TokenException {
    try {
      Jwk key = Jwk.read(jwk);
      boolean silent = jwk.get("alg").isEmpty();
      return new Jwk(key.keyId(), silent ? Optional.of(algorithm) : key.algorithm(), key.key(), List.of());
    } catch (KeyMaterialException e) {
      throw TokenException.refused("the key in the proof is not accepted: " + e.getMessage());
    }
  }

  private static String thumbprint(Value.Dict jwk) throws TokenException {
    String type = jwk.get("kty").orElse(Value.NULL) instanceof Value.Str kty ? kty.value() : "";
    StringBuilder json = new StringBuilder();
    for (String name : REQUIRED.getOrDefault(type, List.of())) {
      String value = jwk.get(name).orElse(Value.NULL) instanceof Value.Str text ? text.value() : "";
      if (!name.equals("crv") && !BASE64URL.matcher(value).matches() || value.indexOf('"') >= 0) {
        throw TokenException.refused("the key in the proof is malformed");
      }
      json.append(json.isEmpty() ? "{" : ",").append('"').append(name).append("\":\"").append(value).append('"');
    }
    if (json.isEmpty()) {
      throw TokenException.refused("the type of the key in the proof is not one of EC, RSA, OKP");
    }
    return Base64Url.text(Jca.sha256().digest(json.append('}').toString().getBytes(StandardCharsets.UTF_8)));
  }
}
