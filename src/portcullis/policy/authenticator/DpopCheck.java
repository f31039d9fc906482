package portcullis.policy.authenticator;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.crypto.jwt.DpopProof;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.http.message.Authority;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.UsedOnce;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * Checks that a request proves possession of the key of its access token (RFC 9449, 4.3). A proof is accepted once.
 *
 * @param age the maximum age of a proof and of a nonce
 * @param nonces creates nonces; empty if none is required
 * @param replayable whether a proof may be used several times
 */
record DpopCheck(Duration age, Set<Algorithm> algorithms, Optional<DpopNonces> nonces, boolean replayable) {
  static final String SCHEME = "DPoP";
  static final String FIELD = "DPoP";
  private static final Duration LEEWAY = Duration.ofSeconds(10);
  private static final int LONGEST_ID = 512;
  private static final String INVALID_PROOF = "invalid_dpop_proof";

  /**
   * Checks the proof in the request.
   *
   * @param token the access token
   * @param thumbprint of the key that the token is bound to
   */
  void check(Request request, String token, String thumbprint, MechanismContext context) throws Failure {
    Instant now = context.clock().instant();
    List<String> fields = request.fields().all(FIELD);
    if (fields.size() != 1) {
      throw refused(INVALID_PROOF, fields.isEmpty() ? "the proof is missing" : "there is more than one proof");
    }
    DpopProof proof = proof(fields.getFirst());
    if (!isEqual(proof.thumbprint(), thumbprint)) {
      throw refused(INVALID_PROOF, "the access token is bound to another key");
    }
    String id = text(proof, "jti");
    if (id.isEmpty() || id.length() > LONGEST_ID) {
      throw refused(INVALID_PROOF, "the proof has no usable jti");
    }
    Instant issued = NumericDates.instant(proof.claims(), "iat")
        .orElseThrow(() -> refused(INVALID_PROOF, "the proof has no usable iat"));
    if (issued.isAfter(now.plus(LEEWAY)) || issued.isBefore(now.minus(age).minus(LEEWAY))) {
      throw refused(INVALID_PROOF, "the proof is too old or not yet valid");
    }
    if (!text(proof, "htm").equals(request.method())) {
      throw refused(INVALID_PROOF, "the proof is for another method");
    }
    if (!isFor(text(proof, "htu"), request)) {
      throw refused(INVALID_PROOF, "the proof is for another URL");
    }
    if (!isEqual(text(proof, "ath"), hash(token))) {
      throw refused(INVALID_PROOF, "the proof is for another access token");
    }
    if (nonces.isPresent() && !nonces.get().isValid(text(proof, "nonce"), token, now, age)) {
      String message = "the proof needs the nonce of this response";
      throw new Failure.Authentication(message, challenge("use_dpop_nonce", message)
          .with("DPoP-Nonce", nonces.get().issue(token, now)));
    }
    if (!replayable) {
      claim(id, proof.thumbprint(), issued, now, context.proofs().used());
    }
  }

  /** Records the use, for as long as the proof would be accepted. */
  private void claim(String id, String thumbprint, Instant issued, Instant now, UsedOnce used) throws Failure {
    Duration left = Duration.between(now, issued).plus(age).plus(LEEWAY).plusSeconds(1);
    boolean first;
    try {
      first = used.isFirst(CacheKey.of("dpop", thumbprint, id), thumbprint, left);
    } catch (UsedOnce.UnknownException e) {
      if (e.full()) {
        throw new Failure.Exhausted(e.getMessage());
      }
      throw new Failure.Communication("it is not known whether the proof was used before", e.getMessage(), false);
    }
    if (!first) {
      throw refused(INVALID_PROOF, "the proof was used before");
    }
  }

  private DpopProof proof(String text) throws Failure {
    try {
      return DpopProof.read(text, algorithms);
    } catch (TokenException e) {
      throw refused(INVALID_PROOF, "the proof is not valid: " + e.getMessage());
    }
  }

  private static String text(DpopProof proof, String claim) {
    return proof.claims().get(claim).orElse(Value.NULL) instanceof Value.Str text ? text.value() : "";
  }

  /** Returns whether it is the URL of the request, which has no query and no fragment (RFC 9449, 4.2). */
  private static boolean isFor(String url, Request request) {
    int host = url.indexOf("://") + 3;
    if (host < 3 || url.indexOf('?') >= 0 || url.indexOf('#') >= 0) {
      return false;
    }
    String scheme = request.url().scheme();
    int slash = url.indexOf('/', host);
    int path = slash < 0 ? url.length() : slash;
    Optional<Authority> authority = Authority.parse(url.substring(host, path));
    return url.substring(0, host - 3).equalsIgnoreCase(scheme)
        && authority.filter(a -> a.comparable(scheme).equals(request.url().host().comparable(scheme))).isPresent()
        && RequestPath.normalized(slash < 0 ? "/" : url.substring(path))
            .equals(RequestPath.normalized(request.path().spelling()));
  }

  private static String hash(String token) {
    return Base64Url.text(Jca.sha256().digest(token.getBytes(StandardCharsets.UTF_8)));
  }

  static boolean isEqual(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the failure of a token or a proof that is not accepted, with its challenge (RFC 9449, 7.1). */
  Failure.Authentication refused(String error, String message) {
    return new Failure.Authentication(message, challenge(error, message));
  }

  /** @param error empty for none. @param message without quotes and backslashes of clients */
  Fields challenge(String error, String message) {
    String names = algorithms.stream().map(Algorithm::text).sorted().collect(Collectors.joining(" "));
    String errors = error.isEmpty() ? ""
        : "error=\"" + error + "\", error_description=\"" + quotable(message) + "\", ";
    return Fields.of("WWW-Authenticate", SCHEME + " " + errors + "algs=\"" + names + "\"");
  }

  /** Returns the characters that an error description may have (RFC 6750, 3). */
  static String quotable(String message) {
    return message.replaceAll("[^ !#-\\[\\]-~]", "'");
  }
}
