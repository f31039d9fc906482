package portcullis.serve.fleet;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * An instance of the fleet, as it describes itself. Immutable.
 *
 * @param since when it started
 * @param seen when it wrote this
 */
public record Member(String name, String version, Instant since, Digests digests, Instant seen) {
  private static final Pattern NAME = Pattern.compile(FleetSettings.NAME);
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{0,64}");

  /**
   * SHA-256 of what an instance decides by.
   *
   * @param rules of all rule sets, whatever their order and the names of their files
   * @param configuration of the text of its file
   */
  public record Digests(String rules, String configuration) {}

  /** What two instances may differ in. */
  public enum Difference {
    RULES, CONFIGURATION, VERSION;

    /** Returns its name in documents and metrics. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns what differs from another instance. */
  public Set<Difference> differences(Member other) {
    Set<Difference> out = EnumSet.noneOf(Difference.class);
    if (!digests.rules.equals(other.digests.rules)) {
      out.add(Difference.RULES);
    }
    if (!digests.configuration.equals(other.digests.configuration)) {
      out.add(Difference.CONFIGURATION);
    }
    if (!version.equals(other.version)) {
      out.add(Difference.VERSION);
    }
    return out;
  }

  byte[] document() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("name", Value.of(name));
    out.put("version", Value.of(version));
    out.put("since", Value.of(since.toString()));
    out.put("rules", Value.of(digests.rules));
    out.put("configuration", Value.of(digests.configuration));
    out.put("seen", Value.of(seen.toString()));
    return JsonText.plain(new Value.Dict(out)).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns the instance; empty if the bytes do not describe one. */
  static Optional<Member> read(byte[] document) {
    try {
      if (!(Json.read(document) instanceof Value.Dict object)) {
        return Optional.empty();
      }
      Member member = new Member(text(object, "name"), text(object, "version"), Instant.parse(text(object, "since")),
          new Digests(text(object, "rules"), text(object, "configuration")), Instant.parse(text(object, "seen")));
      boolean isSound = NAME.matcher(member.name).matches() && NAME.matcher(member.version).matches()
          && DIGEST.matcher(member.digests.rules).matches()
          && DIGEST.matcher(member.digests.configuration).matches();
      return Optional.of(member).filter(_ -> isSound);
    } catch (ValueException | DateTimeException _) {
      return Optional.empty();
    }
  }

  private static String text(Value.Dict object, String name) {
    return object.get(name).orElse(Value.NULL) instanceof Value.Str text ? text.value() : "";
  }
}
