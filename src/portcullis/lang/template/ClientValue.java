package portcullis.lang.template;

import java.util.List;
import java.util.Optional;

/**
 * A value of a request that clients choose freely.
 *
 * @param name of the capture, the header field, the cookie or the parameter, or the path of a member of the body with
 *     dots; empty if it is not known before rendering
 */
public record ClientValue(Kind kind, String name) {
  /** Where a value is in a request. */
  public enum Kind {
    CAPTURE, BODY, HEADER, COOKIE, QUERY, PATH
  }

  /** Returns the value that a template reads by these names from its data; empty for one that clients do not choose. */
  static Optional<ClientValue> of(List<String> names, List<String> arguments) {
    if (names.size() < 2 || !names.getFirst().equals("Request")) {
      return Optional.empty();
    }
    List<String> rest = names.subList(2, names.size());
    return switch (names.get(1)) {
      case "Body" -> Optional.of(new ClientValue(Kind.BODY, joined(rest, arguments)));
      case "Header", "Headers" -> Optional.of(new ClientValue(Kind.HEADER, joined(rest, arguments)));
      case "Cookie" -> Optional.of(new ClientValue(Kind.COOKIE, joined(rest, arguments)));
      case "URL" -> ofUrl(rest, arguments);
      default -> Optional.empty(); // methods are tokens, addresses and hosts are validated
    };
  }

  private static Optional<ClientValue> ofUrl(List<String> names, List<String> arguments) {
    if (names.isEmpty()) {
      return Optional.of(new ClientValue(Kind.PATH, ""));
    }
    List<String> rest = names.subList(1, names.size());
    return switch (names.getFirst()) {
      case "Captures" -> Optional.of(new ClientValue(Kind.CAPTURE, joined(rest, arguments)));
      case "Query" -> Optional.of(new ClientValue(Kind.QUERY, joined(rest, arguments)));
      case "RawQuery" -> Optional.of(new ClientValue(Kind.QUERY, ""));
      case "Path", "RawPath", "String", "RequestURI", "URL" -> Optional.of(new ClientValue(Kind.PATH, ""));
      default -> Optional.empty();
    };
  }

  private static String joined(List<String> names, List<String> arguments) {
    return String.join(".", names) + (names.isEmpty() || arguments.isEmpty() ? "" : ".") + String.join(".", arguments);
  }
}
