package portcullis.http.message;

/**
 * The fields by which proxies report the original request: {@code Forwarded}, {@code X-Forwarded-*}, and {@code
 * X-Original-*} and {@code X-Rewrite-Url}, which some servers obey, {@code Client-Cert} and {@code Client-Cert-Chain}
 * (RFC 9440); also names that resemble these with other separators.
 */
final class ForwardedFamily {
  private ForwardedFamily() {}

  /** Returns whether only a trusted proxy may send it. */
  static boolean has(String name) {
    if (!mayBelong(name)) {
      return false;
    }
    String folded = NameSet.folded(name);
    return folded.equals("forwarded") || folded.startsWith("x-forwarded-") || folded.startsWith("x-original-")
        || folded.equals("x-rewrite-url") || isCertificate(folded);
  }

  private static boolean isCertificate(String folded) {
    return folded.equals("client-cert") || folded.equals("client-cert-chain");
  }

  /** Distinguishes most names by two of their letters. */
  private static boolean mayBelong(String name) {
    return name.length() >= 9 && "FfXxCc".indexOf(name.charAt(0)) >= 0 && "RrFfOoIi".indexOf(name.charAt(2)) >= 0;
  }

  /**
   * Returns whether the field is not forwarded even if a trusted proxy sent it: it is written again, has been applied,
   * or only resembles one.
   */
  static boolean endsHere(String name) {
    if (!mayBelong(name)) {
      return false;
    }
    String folded = NameSet.folded(name);
    return switch (folded) {
      case "forwarded", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-forwarded-method",
          "x-forwarded-uri", "x-forwarded-path" ->
        true;
      default -> (folded.startsWith("x-forwarded-") || isCertificate(folded)) && !name.equalsIgnoreCase(folded);
    };
  }
}
