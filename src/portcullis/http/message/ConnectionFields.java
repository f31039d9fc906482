package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import portcullis.lang.value.Digits;

/** Fields that concern one connection only, and those that say how a body is framed (RFC 9110, 7.6.1; RFC 9112, 6). */
public final class ConnectionFields {
  private static final String CONNECTION = "Connection";

  private static final String CONTENT_TYPE = "Content-Type";
  private static final String CONTENT_ENCODING = "Content-Encoding";
  /**
   * CGI makes {@code HTTP_PROXY} of {@code Proxy}, which libraries take for the address of their proxy (CVE-2016-5385).
   */
  private static final NameSet READ_ALIKE = NameSet.of(List.of("Content-Length", "Transfer-Encoding", CONTENT_TYPE,
      CONTENT_ENCODING, "Keep-Alive", "HTTP2-Settings", "Proxy", "Proxy-Connection", "Proxy-Authenticate",
      "Proxy-Authorization"));

  private ConnectionFields() {}

  /**
   * Returns a request's end-to-end fields: without fields of the connection and names that resemble them, with {@code
   * trailers} as the only value of {@code TE}.
   */
  public static Fields endToEndOfRequest(Fields fields) {
    Fields kept = endToEnd(fields).without(field -> isReadAlike(field.name()));
    boolean trailers = kept.size() < fields.size() && fields.all("TE").stream().flatMap(v -> Grammar.list(v).stream())
        .anyMatch(coding -> coding.equalsIgnoreCase("trailers"));
    return trailers ? kept.with("TE", "trailers") : kept;
  }

  /** Returns an answer's fields that go on. */
  public static Fields endToEndOfResponse(Fields fields) {
    return endToEnd(fields);
  }

  private static Fields endToEnd(Fields fields) {
    List<String> named = named(fields);
    return named.isEmpty() ? fields.without(field -> endsHere(field.name()))
        : fields.without(field -> endsHere(field.name()) || isNamed(field, named));
  }

  /** {@code Host} is the one field that {@code Connection} cannot take away. */
  private static boolean isNamed(Field field, List<String> named) {
    for (int i = 0; i < named.size(); i++) {
      if (field.is(named.get(i))) {
        return !field.is("Host");
      }
    }
    return false;
  }

  /** Returns what {@code Connection} lists. */
  private static List<String> named(Fields fields) {
    if (fields.count(CONNECTION) == 0) {
      return List.of();
    }
    List<String> out = new ArrayList<>();
    for (Field field : fields) {
      if (field.is(CONNECTION)) {
        out.addAll(Grammar.list(field.value()));
      }
    }
    return out;
  }

  /**
   * Whether a request's field is one that some application reads as a field of framing or of a proxy, as it reads
   * {@code Content_Length} as {@code Content-Length}; {@code Proxy} itself is one.
   */
  public static boolean isReadAlike(String name) {
    return READ_ALIKE.has(name) && !name.equalsIgnoreCase(CONTENT_TYPE) && !name.equalsIgnoreCase(CONTENT_ENCODING)
        && !endsHere(name);
  }

  /**
   * Returns whether the field says how a connection is used; a message of HTTP/2 has none of them (RFC 9113, 8.2.2).
   */
  public static boolean isConnectionSpecific(String name) {
    return switch (name.length()) {
      case 7 -> name.equalsIgnoreCase("upgrade");
      case 10 -> name.equalsIgnoreCase("connection") || name.equalsIgnoreCase("keep-alive");
      case 16 -> name.equalsIgnoreCase("proxy-connection");
      case 17 -> name.equalsIgnoreCase("transfer-encoding");
      default -> false;
    };
  }

  /** Returns whether the writer of a message's head adds this field itself; {@code Upgrade} is left to the message. */
  public static boolean isWrittenByConnection(String name) {
    return name.length() != 7 && isConnectionSpecific(name) || name.equalsIgnoreCase("content-length");
  }

  /** Returns whether a field is not forwarded: it is written again for each connection, or not at all. */
  public static boolean endsHere(String name) {
    return isConnectionSpecific(name) || switch (name.length()) {
      case 2 -> name.equalsIgnoreCase("te");
      case 7 -> name.equalsIgnoreCase("trailer");
      case 14 -> name.equalsIgnoreCase("content-length") || name.equalsIgnoreCase("http2-settings");
      case 18 -> name.equalsIgnoreCase("proxy-authenticate");
      case 19 -> name.equalsIgnoreCase("proxy-authorization");
      default -> false;
    };
  }

  /**
   * Returns the protocol of an upgrade. Excluded are other versions of HTTP and TLS, which are not for the upstream to
   * decide, and upgrades of requests with a body.
   */
  public static Optional<String> upgrade(Fields fields) {
    if (!fields.has("Upgrade")) {
      return Optional.empty();
    }
    List<String> protocols = fields.all("Upgrade");
    boolean requested = protocols.size() == 1 && named(fields).stream().anyMatch("upgrade"::equalsIgnoreCase);
    boolean body = fields.has("Transfer-Encoding") || !List.of("0").containsAll(fields.all("Content-Length"));
    if (!requested || body || !Grammar.isToken(protocols.getFirst().replaceFirst("/", ""))) {
      return Optional.empty();
    }
    String protocol = protocols.getFirst().toLowerCase(Locale.ROOT);
    boolean ours = protocol.startsWith("h2") || protocol.startsWith("http/") || protocol.startsWith("tls/");
    return ours ? Optional.empty() : Optional.of(protocols.getFirst());
  }

  /** Returns the value of {@code Content-Length}; empty if it is absent, repeated or not a number. */
  public static OptionalLong contentLength(Fields fields) {
    Optional<String> length = fields.count("Content-Length") == 1 ? fields.first("Content-Length") : Optional.empty();
    return length.isPresent() && isLength(length.get()) ? OptionalLong.of(Long.parseLong(length.get()))
        : OptionalLong.empty();
  }

  /** {@code Content-Length = 1*DIGIT} (RFC 9110, 8.6), within 63 bits. */
  static boolean isLength(String text) {
    return Digits.are(text, 18);
  }
}
