package portcullis.template;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.math.BigInteger;
import java.util.List;
import portcullis.value.ValueFault;

/** A semantic version (semver.org, 2.0), read leniently: a {@code v} may stand in front, minor and patch may be missing. */
record Version(long major, long minor, long patch, String prerelease, String metadata, String original) {
  /** Of one version, without anchors; six groups. */
  static final String SYNTAX = "v?([0-9]+)(\\.[0-9]+)?(\\.[0-9]+)?(?:-([0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*))?"
      + "(?:\\+([0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*))?";
  private static final Pattern VERSION = Pattern.compile("^" + SYNTAX + "$");
  private static final int MOST_CHARACTERS = 256;

  static Version read(String text) throws ValueFault {
    Matcher matcher = VERSION.matcher(text.length() > MOST_CHARACTERS ? "" : text);
    if (!matcher.matches()) {
      throw new ValueFault("no semantic version");
    }
    Version version = new Version(number(matcher.group(1)), number(matcher.group(2)), number(matcher.group(3)),
        text(matcher.group(4)), text(matcher.group(5)), text);
    for (String part : version.prerelease.split("\\.")) {
      if (part.length() > 1 && part.startsWith("0") && isNumber(part)) {
        throw new ValueFault("a number of the prerelease begins with 0");
      }
    }
    return version;
  }

  /** @param group may be null: it took no part */
  private static String text(String group) {
    return group == null ? "" : group;
  }

  private static long number(String group) throws ValueFault {
    String digits = text(group).replace(".", "");
    BigInteger number = digits.isEmpty() ? BigInteger.ZERO : new BigInteger(digits);
    if (number.bitLength() >= Long.SIZE) {
      throw new ValueFault("a number of the version is too large");
    }
    return number.longValue();
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

  /** The next patch; of a prerelease the version that it leads to. */
  Version nextPatch() {
    return bumped(major, minor, prerelease.isEmpty() ? patch + 1 : patch);
  }

  /** By precedence: metadata does not count (semver.org, 11). */
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

  /** Numbers come before letters. */
  private static int comparePart(String a, String b) {
    boolean numberA = isNumber(a);
    boolean numberB = isNumber(b);
    if (numberA && numberB) {
      return new BigInteger(a).compareTo(new BigInteger(b));
    }
    return numberA == numberB ? Integer.signum(a.compareTo(b)) : numberA ? -1 : 1;
  }
}
