package portcullis.policy.rule;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times that heimdall reads from YAML without quotes, and writes as RFC 3339. */
final class YamlTimestamp {
  private static final Pattern TIMESTAMP = Pattern.compile("(\\d{4})-(\\d{1,2})-(\\d{1,2})"
      + "(?:(?:[Tt](?<time>\\d{1,2}:\\d{1,2}:\\d{1,2})(?<part>\\.\\d{1,9})?(?<zone>Z|[+-]\\d\\d:\\d\\d))"
      + "|(?: (?<utc>\\d{1,2}:\\d{1,2}:\\d{1,2})(?<utcPart>\\.\\d{1,9})?))?");

  private YamlTimestamp() {}

  /** Returns the time that an unquoted value is; empty if it is none. */
  static Optional<String> of(String text) {
    Matcher found = TIMESTAMP.matcher(text);
    if (!found.matches()) {
      return Optional.empty();
    }
    try {
      String time = Optional.ofNullable(found.group("time")).or(() -> Optional.ofNullable(found.group("utc")))
          .orElse("0:0:0");
      String part = Optional.ofNullable(found.group("part")).or(() -> Optional.ofNullable(found.group("utcPart")))
          .map(digits -> digits.replaceAll("\\.?0+$", "")).orElse("");
      ZoneOffset zone = Optional.ofNullable(found.group("zone")).map(ZoneOffset::of).orElse(ZoneOffset.UTC);
      String[] parts = time.split(":");
      LocalDateTime at = LocalDateTime.of(number(found.group(1)), number(found.group(2)), number(found.group(3)),
          number(parts[0]), number(parts[1]), number(parts[2]));
      return Optional.of("%04d-%02d-%02dT%02d:%02d:%02d%s%s".formatted(at.getYear(), at.getMonthValue(),
          at.getDayOfMonth(), at.getHour(), at.getMinute(), at.getSecond(), part, zone.getId()));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static int number(String digits) {
    return Integer.parseInt(digits);
  }
}
