package portcullis.template;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.ArrayList;
import java.util.List;
import portcullis.value.ValueFault;

/**
 * One comparison of a version constraint, as {@code >=1.2}.
 *
 * @param version with 0 for what was left out or written as {@code x}
 * @param given how many of major, minor and patch were written
 */
record VersionConstraint(String operator, Version version, int given) {
  private static final String NUMBER = "[0-9|x|X|\\*]+";
  private static final String WRITTEN = "v?(" + NUMBER + ")(\\." + NUMBER + ")?(\\." + NUMBER + ")?"
      + "(-[0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*)?(?:\\+[0-9A-Za-z\\-]+(?:\\.[0-9A-Za-z\\-]+)*)?";
  private static final String OPERATOR = "!=|>=|=>|<=|=<|~>|=|>|<|~|\\^|";
  private static final Pattern ONE = Pattern.compile("(" + OPERATOR + ")\\s*" + WRITTEN);
  private static final Pattern ALL = Pattern.compile("^\\s*(?:" + OPERATOR + ")\\s*" + WRITTEN + "\\s*(?:(?:\\s+|,\\s*)(?:"
      + OPERATOR + ")\\s*" + WRITTEN + "\\s*)*$");
  private static final Pattern RANGE = Pattern.compile("\\s*(" + WRITTEN + ")\\s+-\\s+(" + WRITTEN + ")\\s*");
  private static final int MOST_CHARACTERS = 1024;

  /** Alternatives between {@code ||}, each of comparisons that all must hold. */
  static List<List<VersionConstraint>> read(String text) throws ValueFault {
    if (text.length() > MOST_CHARACTERS) {
      throw new ValueFault("a version constraint of more than " + MOST_CHARACTERS + " characters");
    }
    List<List<VersionConstraint>> out = new ArrayList<>();
    for (String alternative : withoutRanges(text).split("\\|\\|", -1)) {
      out.add(comparisons(alternative));
    }
    return out;
  }

  /** {@code 1.2 - 1.4} is {@code >= 1.2, <= 1.4}. */
  private static String withoutRanges(String text) {
    return RANGE.matcher(text).replaceAll(">= $1, <= $6 ");
  }

  private static List<VersionConstraint> comparisons(String alternative) throws ValueFault {
    if (!ALL.matcher(alternative).matches()) {
      throw new ValueFault("no version constraint, as `>=1.2, <2`");
    }
    List<VersionConstraint> out = new ArrayList<>();
    Matcher one = ONE.matcher(alternative);
    while (one.find()) {
      out.add(of(one));
    }
    return out;
  }

  private static VersionConstraint of(Matcher one) throws ValueFault {
    String prerelease = one.group(5) == null ? "" : one.group(5);
    String[] numbers = {one.group(2), part(one.group(3)), part(one.group(4))};
    int given = 0;
    while (given < 3 && !isAny(numbers[given])) {
      given++;
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      text.append(i > 0 ? "." : "").append(i < given ? numbers[i] : "0");
    }
    return new VersionConstraint(one.group(1), Version.read(text + prerelease), given);
  }

  /** @param group may be null: it took no part */
  private static String part(String group) {
    return group == null ? "" : group.substring(1);
  }

  private static boolean isAny(String number) {
    return number.isEmpty() || number.equals("x") || number.equals("X") || number.equals("*");
  }

  /** Whether one of the alternatives holds. */
  static boolean holds(List<List<VersionConstraint>> alternatives, Version candidate) {
    return alternatives.stream().anyMatch(all -> allHold(all, candidate));
  }

  /** A prerelease only counts where one of the comparisons asks for one. */
  private static boolean allHold(List<VersionConstraint> all, Version candidate) {
    boolean counts = candidate.prerelease().isEmpty() || all.stream().anyMatch(c -> !c.version.prerelease().isEmpty());
    return counts && all.stream().allMatch(c -> c.holds(candidate));
  }

  private boolean holds(Version v) {
    return switch (operator) {
      case "!=" -> !sameAsFarAsGiven(v);
      case ">" -> isGreater(v);
      case "<" -> v.compare(version) < 0;
      case ">=", "=>" -> v.compare(version) >= 0;
      case "<=", "=<" -> isAtMost(v);
      case "~", "~>" -> isNear(v);
      case "^" -> isCompatible(v);
      default -> given < 3 ? isNear(v) : v.compare(version) == 0;
    };
  }

  private boolean sameAsFarAsGiven(Version v) {
    if (given == 3 || given == 0) {
      return v.compare(version) == 0;
    }
    if (v.major() != version.major() || given == 2 && v.minor() != version.minor()) {
      return false;
    }
    return given < 2 || v.prerelease().equals(version.prerelease());
  }

  private boolean isGreater(Version v) {
    if (given == 3 || given == 0) {
      return v.compare(version) > 0;
    }
    if (v.major() != version.major()) {
      return v.major() > version.major();
    }
    return given == 2 && v.minor() > version.minor();
  }

  private boolean isAtMost(Version v) {
    if (given == 3) {
      return v.compare(version) <= 0;
    }
    return v.major() < version.major() || v.major() == version.major() && (given == 1 || v.minor() <= version.minor());
  }

  /** The same as far as given, patch aside. */
  private boolean isNear(Version v) {
    if (v.compare(version) < 0) {
      return false;
    }
    if (version.major() == 0 && version.minor() == 0 && version.patch() == 0 && (given == 3 || given == 0)) {
      return true;
    }
    return v.major() == version.major() && (given < 2 || v.minor() == version.minor());
  }

  /** Nothing changed from the first number on that is not 0. */
  private boolean isCompatible(Version v) {
    if (v.compare(version) < 0) {
      return false;
    }
    if (version.major() > 0 || given == 1) {
      return v.major() == version.major();
    }
    if (v.major() > 0) {
      return false;
    }
    if (version.minor() > 0 || given == 2) {
      return v.minor() == version.minor();
    }
    return v.minor() == 0 && v.patch() == version.patch();
  }
}
