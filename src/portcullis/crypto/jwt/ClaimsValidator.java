package portcullis.crypto.jwt;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import portcullis.lang.value.Value;

/**
 * Checks claims, of a verified token or of an introspection response, against expectations (RFC 7519, 4.1; RFC 7662,
 * 2.2). A claim of a wrong type is refused, also where nothing is expected of it; one that is null counts as absent.
 */
public final class ClaimsValidator {
  private final Value.Dict claims;

  private ClaimsValidator(Value.Dict claims) {
    this.claims = claims;
  }

  /** @throws InvalidClaimException for the first claim that does not meet its expectation */
  public static void check(Value.Dict claims, Expectations expected, Instant now) throws InvalidClaimException {
    ClaimsValidator validator = new ClaimsValidator(claims);
    validator.requireIssuer(expected.issuers());
    validator.requireAudience(expected.audience());
    validator.requireTimes(expected.leeway(), now);
    validator.requireScopes(expected.scopes());
    validator.text("sub");
  }

  private void requireIssuer(List<String> issuers) throws InvalidClaimException {
    String issuer = text("iss");
    if (!issuers.isEmpty() && !IssuerPattern.isAmong(issuers, issuer)) {
      throw new InvalidClaimException("issuer " + TokenException.shown(issuer) + " is not trusted");
    }
  }

  private void requireAudience(List<String> audience) throws InvalidClaimException {
    List<String> given = texts("aud");
    if (!audience.isEmpty() && given.stream().noneMatch(audience::contains)) {
      throw new InvalidClaimException("no expected audience present");
    }
  }

  /** Compares in whole seconds; a token without {@code exp} does not expire. */
  private void requireTimes(Duration leeway, Instant now) throws InvalidClaimException {
    long earliest = now.minus(leeway).getEpochSecond();
    long latest = now.plus(leeway).getEpochSecond();
    if (seconds("nbf").orElse(latest) > latest) {
      throw new InvalidClaimException("not yet valid");
    }
    OptionalLong end = seconds("exp");
    if (end.isPresent() && end.getAsLong() <= earliest) {
      throw new InvalidClaimException("expired");
    }
    if (seconds("iat").orElse(latest) > latest) {
      throw new InvalidClaimException("issued in the future");
    }
  }

  private void requireScopes(ScopesMatcher scopes) throws InvalidClaimException {
    List<String> own = texts("scp");
    List<String> others = texts("scope");
    Optional<String> missing = scopes.missing(has("scp") ? own : others);
    if (missing.isPresent()) {
      throw new InvalidClaimException("required scope " + missing.get() + " is missing");
    }
  }

  /** Returns whether the claim has a value; an empty list counts as none. */
  private boolean has(String name) {
    return claim(name).filter(value -> !(value instanceof Value.Array array && array.items().isEmpty())).isPresent();
  }

  private Optional<Value> claim(String name) {
    return claims.get(name).filter(value -> !(value instanceof Value.Null));
  }

  private String text(String name) throws InvalidClaimException {
    return switch (claim(name).orElse(Value.EMPTY_STRING)) {
      case Value.Str text -> text.value();
      case Value _ -> throw new InvalidClaimException("`" + name + "` is not a string");
    };
  }

  /** Returns the strings of a list, or the words of one string. */
  private List<String> texts(String name) throws InvalidClaimException {
    return switch (claim(name).orElse(Value.EMPTY_STRING)) {
      case Value.Str text -> List.of(text.value().split(" "));
      case Value.Array array when array.items().stream().allMatch(Value.Str.class::isInstance) ->
        array.items().stream().map(item -> ((Value.Str) item).value()).toList();
      case Value _ -> throw new InvalidClaimException("`" + name + "` is neither a string nor a list of strings");
    };
  }

  /** Returns the seconds of a date, without fractions; empty if the claim is absent. */
  private OptionalLong seconds(String name) throws InvalidClaimException {
    Optional<Value> claim = claim(name);
    if (claim.isEmpty()) {
      return OptionalLong.empty();
    }
    return switch (claim.get()) {
      case Value.Int whole -> OptionalLong.of(whole.value());
      case Value.Float fraction -> OptionalLong.of((long) fraction.value());
      case Value _ -> throw new InvalidClaimException("`" + name + "` is not a number");
    };
  }

  /** Thrown if a claim does not meet its expectation; an expected outcome, so without stack trace. */
  public static final class InvalidClaimException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidClaimException(String reason) {
      super(reason, null, false, false);
    }
  }
}
