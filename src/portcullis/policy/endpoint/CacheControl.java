package portcullis.policy.endpoint;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Grammar;

/** The directives of a message (RFC 9111, 5.2), names in lower case; of a repeated directive the first one is used. */
record CacheControl(Map<String, String> directives) {
  private static final int MOST_DIGITS = 10;

  static CacheControl of(List<String> values) {
    Map<String, String> out = new HashMap<>();
    for (String value : values) {
      for (String directive : Grammar.list(value)) {
        String[] parts = directive.split("=", 2);
        String argument = parts.length < 2 ? "" : Grammar.unquoted(parts[1]).orElse(parts[1]);
        out.putIfAbsent(parts[0].toLowerCase(Locale.ROOT), argument);
      }
    }
    return new CacheControl(Map.copyOf(out));
  }

  boolean has(String directive) {
    return directives.containsKey(directive);
  }

  /**
   * Returns {@code delta-seconds = 1*DIGIT}; zero if the value is invalid, so that nothing is reused too long. Empty if
   * the directive is missing.
   */
  Optional<Duration> seconds(String directive) {
    return Optional.ofNullable(directives.get(directive)).map(text -> delta(text).orElse(Duration.ZERO));
  }

  static Optional<Duration> delta(String text) {
    boolean digits = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    String cut = text.replaceFirst("^0+(?=.)", "");
    return !digits ? Optional.empty()
        : Optional.of(Duration.ofSeconds(
            cut.length() > MOST_DIGITS ? Integer.MAX_VALUE : Math.min(Long.parseLong(cut), Integer.MAX_VALUE)));
  }
}
