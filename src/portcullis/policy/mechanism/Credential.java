package portcullis.policy.mechanism;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import portcullis.lang.value.Value;

/**
 * What is known of the credential that identified a subject: enough to end what it opened when it expires, and to
 * recognize it in a lock. It contains no secret.
 *
 * @param issuer of the token; empty if unknown
 * @param subject the subject as the issuer names it; empty if unknown
 * @param session the id of the session (OpenID Connect Front-Channel Logout 1.0, 3: {@code sid}); empty if unknown
 * @param email the e-mail address of the subject by its issuer; empty if unknown
 * @param tokenId the id of the token or API key (RFC 7519, 4.1.7); empty if unknown
 * @param authenticated when the user was authenticated, or if that is unknown, when the token was issued
 * @param expires when it expires; empty if it does not, or if that is unknown
 * @param leeway for how long after that it is still accepted
 */
public record Credential(String issuer, String subject, String email, String session, String tokenId,
    Optional<Instant> authenticated, Optional<Instant> expires, Duration leeway) {
  /** Nothing is known, as of an anonymous subject. */
  public static final Credential NONE = new Credential("", "", "", "", "", Optional.empty(), Optional.empty(),
      Duration.ZERO);

  /** Returns what claims say, of a token or of the response of an identity or introspection endpoint. */
  public static Credential of(Value.Dict claims, Duration leeway) {
    return new Credential(text(claims, "iss"), text(claims, "sub"), text(claims, "email"), text(claims, "sid"),
        text(claims, "jti"),
        time(claims, "auth_time").or(() -> time(claims, "iat")), time(claims, "exp"), leeway);
  }

  /** Returns the credential with this id that expires at this time. */
  public static Credential of(String tokenId, Optional<Instant> expires) {
    return new Credential("", "", "", "", tokenId, Optional.empty(), expires, Duration.ZERO);
  }

  /** Returns a copy that expires at this time; empty if that is unknown. */
  public Credential expiring(Optional<Instant> end, Duration tolerance) {
    return new Credential(issuer, subject, email, session, tokenId, authenticated, end, tolerance);
  }

  private static String text(Value.Dict claims, String name) {
    return claims.get(name).orElse(Value.NULL) instanceof Value.Str text ? text.value() : "";
  }

  private static Optional<Instant> time(Value.Dict claims, String name) {
    try {
      return switch (claims.get(name).orElse(Value.NULL)) {
        case Value.Int whole -> Optional.of(Instant.ofEpochSecond(whole.value()));
        case Value.Float fraction -> Optional.of(Instant.ofEpochSecond((long) fraction.value()));
        case Value _ -> Optional.empty();
      };
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
