package portcullis.serve.bundle;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * The content of a bundle, without its signatures; immutable.
 *
 * @param counter grows with each bundle, so that an older one cannot replace a newer one
 * @param minimumVersion the oldest program that may use it; empty for any
 * @param configuration the digest of the configuration that the rules were tested with, as {@code sha256:…}
 * @param tests the outcome of the rules' tests; empty where none were named
 * @param files the rule sets by name, in order
 */
public record Bundle(long counter, Instant notBefore, Instant notAfter, Optional<String> minimumVersion,
    Optional<String> configuration, Optional<Tests> tests, SequencedMap<String, String> files) {
  private static final int MOST_FILES = 1000;
  /** Of 18 digits, as {@link CounterFile} has them. */
  private static final long HIGHEST = 999_999_999_999_999_999L;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");
  private static final Pattern VERSION = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,6}){0,3}");

  /** The numbers of test cases that passed and failed. */
  public record Tests(long passed, long failed) {}

  public Bundle {
    files = new LinkedHashMap<>(files);
  }

  /** @throws BundleException if a part is out of range */
  public Bundle validated() throws BundleException {
    require(counter > 0 && counter <= HIGHEST, "its counter is not a number from 1 to " + HIGHEST);
    require(notBefore.isBefore(notAfter), "it would end (" + notAfter + ") before it begins (" + notBefore + ")");
    require(!files.isEmpty(), "it has no rule sets");
    require(files.size() <= MOST_FILES, "it has more than " + MOST_FILES + " rule sets");
    for (String name : files.keySet()) {
      require(NAME.matcher(name).matches(), "`" + name + "` is not the name of a rule set: letters, digits, `.`, "
          + "`_` and `-`");
    }
    require(minimumVersion.isEmpty() || VERSION.matcher(minimumVersion.get()).matches(),
        "its minimum version is not a version, as `0.1.0`");
    return this;
  }

  private static void require(boolean holds, String message) throws BundleException {
    if (!holds) {
      throw new BundleException(message);
    }
  }

  /** Returns the rule sets, each named after the bundle and its own name. */
  public List<SourceFile> ruleSets(String bundle) {
    return files.entrySet().stream().map(file -> new SourceFile(bundle + "!" + file.getKey(), file.getValue()))
        .toList();
  }

  /** Returns it as JSON in UTF-8. */
  byte[] bytes() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("counter", Value.of(counter));
    out.put("not_before", Value.of(notBefore.toString()));
    out.put("not_after", Value.of(notAfter.toString()));
    minimumVersion.ifPresent(version -> out.put("minimum_version", Value.of(version)));
    configuration.ifPresent(digest -> out.put("configuration", Value.of(digest)));
    tests.ifPresent(counts -> {
      Map<String, Value> both = new LinkedHashMap<>();
      both.put("passed", Value.of(counts.passed()));
      both.put("failed", Value.of(counts.failed()));
      out.put("tests", new Value.Dict(both));
    });
    Map<String, Value> sets = new LinkedHashMap<>();
    files.forEach((name, content) -> sets.put(name, Value.of(content)));
    out.put("files", new Value.Dict(sets));
    return JsonText.plain(new Value.Dict(out)).getBytes(StandardCharsets.UTF_8);
  }

  static Bundle parse(byte[] bytes) throws BundleException {
    try {
      if (!(Json.read(new String(bytes, StandardCharsets.UTF_8)) instanceof Value.Dict dict)) {
        throw new BundleException("its content is not an object");
      }
      SequencedMap<String, String> files = new LinkedHashMap<>();
      if (dict.get("files").orElse(Value.Dict.EMPTY) instanceof Value.Dict sets) {
        for (Map.Entry<String, Value> file : sets.members().entrySet()) {
          files.put(file.getKey(), string(file.getKey(), file.getValue()));
        }
      }
      Optional<Tests> tests = dict.get("tests").isPresent()
          && dict.get("tests").get() instanceof Value.Dict counts
              ? Optional.of(new Tests(number(counts, "passed"), number(counts, "failed")))
              : Optional.empty();
      return new Bundle(number(dict, "counter"), time(dict, "not_before"), time(dict, "not_after"),
          optional(dict, "minimum_version"), optional(dict, "configuration"), tests, files).validated();
    } catch (ValueException e) {
      throw new BundleException("its content cannot be parsed: " + e.getMessage());
    }
  }

  /** Reads the outcome of tests from the report that {@code portcullis test -o json} writes. */
  public static Tests tests(String report) throws BundleException {
    try {
      if (Json.read(report) instanceof Value.Dict dict) {
        return new Tests(number(dict, "passed"), number(dict, "failed"));
      }
    } catch (ValueException _) {
      // reported below
    }
    throw new BundleException("the report of the tests is not what `portcullis test -o json` writes");
  }

  private static long number(Value.Dict dict, String name) throws BundleException {
    if (dict.get(name).isPresent() && dict.get(name).get() instanceof Value.Int number) {
      return number.value();
    }
    throw new BundleException("its `" + name + "` is not a whole number");
  }

  private static Instant time(Value.Dict dict, String name) throws BundleException {
    try {
      return Instant.parse(optional(dict, name).orElse(""));
    } catch (DateTimeException _) {
      throw new BundleException("its `" + name + "` is not a time, as `2026-01-31T12:00:00Z`");
    }
  }

  private static Optional<String> optional(Value.Dict dict, String name) throws BundleException {
    return dict.get(name).isEmpty() ? Optional.empty() : Optional.of(string(name, dict.get(name).get()));
  }

  private static String string(String name, Value value) throws BundleException {
    if (value instanceof Value.Str string) {
      return string.value();
    }
    throw new BundleException("its `" + name + "` is not a string");
  }
}
