package portcullis.serve.debug;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * Permission to have requests of one rule explained, until it expires. As a string it is {@code CLAIMS.MAC}, both in
 * base64url: a JSON object, and HMAC-SHA-256 of it, by which the services that have the key are its audience.
 * Immutable.
 *
 * @param rule the id of the rule
 */
public record DebugToken(String rule, Instant issued, Instant expiry) {
  /** The name of the header field of requests. */
  public static final String HEADER = "X-Portcullis-Debug";
  /** The name of the header field of responses, which has the id of the explanation. */
  public static final String RESPONSE_HEADER = "X-Portcullis-Explain";
  /** The maximum time from issue to expiry. */
  public static final Duration LONGEST = Duration.ofHours(24);

  private static final int MOST_CHARACTERS = 1024;
  /** By how much the clocks of the issuer and of a service may differ. */
  private static final Duration LEEWAY = Duration.ofMinutes(1);
  private static final String ALGORITHM = "HmacSHA256";
  /** What else is authenticated by the same key, if it is used elsewhere, does not begin like this. */
  private static final String PURPOSE = "portcullis debug token 1\n";

  /** Returns the token as a string, signed with the key. */
  public String signed(SymmetricKey key) {
    Value.Dict claims = new Value.Dict(Map.of("aud", Value.of(key.id()), "rule", Value.of(rule), "iat",
        Value.of(issued.getEpochSecond()), "exp", Value.of(expiry.getEpochSecond())));
    String text = Base64.getUrlEncoder().withoutPadding()
        .encodeToString(JsonText.plain(claims).getBytes(StandardCharsets.UTF_8));
    return text + "." + mac(text, key);
  }

  private static String mac(String claims, SymmetricKey key) {
    byte[] code = Jca.required(() -> {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key.of(ALGORITHM));
      return mac.doFinal((PURPOSE + claims).getBytes(StandardCharsets.ISO_8859_1));
    });
    return Base64.getUrlEncoder().withoutPadding().encodeToString(code);
  }

  /**
   * Returns the token that is written so, if the key signed it and it is valid now. Nothing of it is parsed before its
   * signature is verified, and the time that takes shows nothing of the right signature.
   */
  public static Optional<DebugToken> read(String text, SymmetricKey key, Instant now) {
    int dot = text.indexOf('.');
    if (dot < 0 || text.length() > MOST_CHARACTERS) {
      return Optional.empty();
    }
    String claims = text.substring(0, dot);
    boolean isSigned = MessageDigest.isEqual(mac(claims, key).getBytes(StandardCharsets.ISO_8859_1),
        text.substring(dot + 1).getBytes(StandardCharsets.ISO_8859_1));
    return isSigned ? claims(claims).filter(token -> token.isValid(now)) : Optional.empty();
  }

  private static Optional<DebugToken> claims(String text) {
    try {
      if (Json.read(Base64.getUrlDecoder().decode(text)) instanceof Value.Dict object
          && object.get("rule").orElse(Value.NULL) instanceof Value.Str rule
          && object.get("iat").orElse(Value.NULL) instanceof Value.Int issued
          && object.get("exp").orElse(Value.NULL) instanceof Value.Int expiry) {
        return Optional.of(new DebugToken(rule.value(), Instant.ofEpochSecond(issued.value()),
            Instant.ofEpochSecond(expiry.value())));
      }
    } catch (ValueException | IllegalArgumentException | DateTimeException _) {
      // signed, but by a later version
    }
    return Optional.empty();
  }

  private boolean isValid(Instant now) {
    return now.isBefore(expiry) && !now.plus(LEEWAY).isBefore(issued) && !issued.plus(LONGEST).isBefore(expiry);
  }
}
