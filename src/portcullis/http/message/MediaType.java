package portcullis.http.message;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code type "/" subtype *( OWS ";" OWS parameter )} (RFC 9110, 8.3.1), or a range of them.
 *
 * @param type in lower case, as the subtype and the names of the parameters are
 */
public record MediaType(String type, String subtype, Map<String, String> parameters) {
  public static Optional<MediaType> parse(String text) {
    List<String> parts = Grammar.parts(text, ';');
    String name = parts.isEmpty() ? "" : parts.getFirst().toLowerCase(Locale.ROOT);
    int slash = name.indexOf('/');
    if (slash < 0 || !Grammar.trimmed(text).startsWith(parts.getFirst())) {
      return Optional.empty();
    }
    String type = name.substring(0, slash);
    String subtype = name.substring(slash + 1);
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String part : parts.subList(1, parts.size())) {
      int equals = part.indexOf('=');
      String key = equals < 0 ? "" : part.substring(0, equals).toLowerCase(Locale.ROOT);
      Optional<String> value = equals < 0 ? Optional.empty() : value(part.substring(equals + 1));
      if (!Grammar.isToken(key) || value.isEmpty() || parameters.putIfAbsent(key, value.get()) != null) {
        return Optional.empty();
      }
    }
    boolean tokens = Grammar.isToken(type) && Grammar.isToken(subtype);
    return tokens ? Optional.of(new MediaType(type, subtype, parameters)) : Optional.empty();
  }

  private static Optional<String> value(String text) {
    return Grammar.isToken(text) ? Optional.of(text) : Grammar.unquoted(text);
  }

  /** {@code type/subtype}. */
  public String essence() {
    return type + "/" + subtype;
  }
}
