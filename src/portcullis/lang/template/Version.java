package portcullis.lang.template;

import java.math.BigInteger;
import java.util.List;
import portcullis.lang.value.ValueException;

/**
 * A semantic version (semver.org, 2.0), parsed leniently: a leading {@code v} is allowed, minor and patch are optional.
 */
record Version(long major, long minor, long patch, String prerelease, String metadata, String original) {
  private static final int MOST_CHARACTERS = 256;

  static Version read(String text) throws ValueException {
    if (text.length() > MOST_CHARACTERS) {
      throw new ValueException("a version of more than " + MOST_CHARACTERS + " characters");
    }
    VersionScanner scanner = new VersionScanner(text);
    VersionScanner.Core core = scanner.core();
    Version version = new Version(core.major(), core.minor(), core.patch(), scanner.prerelease(), scanner.metadata(),
        text);
    scanner.end();
    return version;
  }

  private static boolean isNumber(String part) {
    return !part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  String text() {
    return major + "." + minor + "." + patch + (prerelease.isEmpty() ? "" : "-" + prerelease)
        + (metadata.isEmpty() ? "" : "+" + metadata);
  }

  Version bumped(long newMajor, long newMinor, long newPatch) {
    String prefix = original.startsWith("v") ? "v" : "";
    return new Version(newMajor, newMinor, newPatch, "", "", prefix + newMajor + "." + newMinor + "." + newPatch);
  }

  /** Returns the next patch; of a prerelease its release. */
  Version nextPatch() {
    return bumped(major, minor, prerelease.isEmpty() ? patch + 1 : patch);
  }

  /** Compares by precedence, without metadata (semver.org, 11). */
  int compare(Version other) {
    int numbers = Long.compare(major, other.major);
    numbers = numbers != 0 ? numbers : Long.compare(minor, other.minor);
    numbers = numbers != 0 ? numbers : Long.compare(patch, other.patch);
    if (numbers != 0 || prerelease.equals(other.prerelease)) {
      return numbers;
    }
    if (prerelease.isEmpty() || other.prerelease.isEmpty()) {
      return prerelease.isEmpty() ? 1 : -1;
    }
    return compareParts(List.of(prerelease.split("\\.")), List.of(other.prerelease.split("\\.")));
  }

  private static int compareParts(List<String> a, List<String> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      int part = comparePart(a.get(i), b.get(i));
      if (part != 0) {
        return part;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  /** Numeric identifiers come before others. */
  private static int comparePart(String a, String b) {
    boolean numberA = isNumber(a);
    boolean numberB = isNumber(b);
    if (numberA && numberB) {
      return new BigInteger(a).compareTo(new BigInteger(b));
    }
    return numberA == numberB ? Integer.signum(a.compareTo(b)) : numberA ? -1 : 1;
  }
}
