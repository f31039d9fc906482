package portcullis.policy.endpoint;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.http.message.Grammar;

/**
 * A component of a request that a signature covers (RFC 9421, 2); immutable.
 *
 * @param name of a field in lower case, or a derived component such as {@code @method}
 * @param binary whether the lines of the field are encoded as byte sequences ({@code bs})
 * @param parameter of the query, if the name is {@code @query-param}; otherwise empty
 */
public record SignatureComponent(String name, boolean binary, String parameter) {
  private static final String QUERY_PARAM = "@query-param";
  private static final Set<String> DERIVED = Set.of("@method", "@target-uri", "@authority", "@scheme",
      "@request-target", "@path", "@query");
  private static final Pattern TEXT = Pattern.compile("\"?(@?[^\";\\s]+)\"?(;bs|;name=\"([^\"\\\\]+)\")?");

  /**
   * Parses the notation of the configuration: {@code @method}, {@code content-type;bs}, {@code @query-param;name="id"};
   * empty for anything else.
   */
  static Optional<SignatureComponent> parse(String text) {
    Matcher parts = TEXT.matcher(text.strip());
    if (!parts.matches()) {
      return Optional.empty();
    }
    String name = parts.group(1).toLowerCase(Locale.ROOT);
    boolean binary = ";bs".equals(parts.group(2));
    String parameter = Optional.ofNullable(parts.group(3)).orElse("");
    boolean known = name.equals(QUERY_PARAM) ? !parameter.isEmpty() && StructuredFields.isString(parameter)
        : parameter.isEmpty() && (DERIVED.contains(name) ? !binary : Grammar.isToken(name));
    return known ? Optional.of(new SignatureComponent(name, binary, parameter)) : Optional.empty();
  }

  /** Returns the component identifier: {@code "@query-param";name="id"} (RFC 9421, 2). */
  String identifier() {
    return StructuredFields.string(name)
        + (binary ? ";bs" : parameter.isEmpty() ? "" : ";name=" + StructuredFields.string(parameter));
  }
}
