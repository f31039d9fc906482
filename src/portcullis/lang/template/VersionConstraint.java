package portcullis.lang.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.value.ValueException;

/**
 * One comparison of a version constraint, as {@code >=1.2}.
 *
 * @param version with 0 for what was left out or written as {@code x}
 * @param given the number of major, minor and patch that were written
 */
record VersionConstraint(String operator, Version version, int given) {
  /** Operators, longer ones before their prefixes. */
  private static final List<String> OPERATORS = List.of("!=", ">=", "=>", "<=", "=<", "~>", "=", ">", "<", "~", "^");
  private static final int MOST_CHARACTERS = 1024;

  /** Parses alternatives between {@code ||}, each a list of comparisons that must all hold. */
  static List<List<VersionConstraint>> read(String text) throws ValueException {
    if (text.length() > MOST_CHARACTERS) {
      throw new ValueException("a version constraint of more than " + MOST_CHARACTERS + " characters");
    }
    VersionScanner scanner = new VersionScanner(text);
    List<List<VersionConstraint>> out = new ArrayList<>();
    do {
      out.add(comparisons(scanner));
    } while (scanner.take("||"));
    scanner.end();
    return out;
  }

  /** Parses comparisons separated by commas or blanks. */
  private static List<VersionConstraint> comparisons(VersionScanner scanner) throws ValueException {
    List<VersionConstraint> out = new ArrayList<>();
    scanner.skipBlanks();
    boolean more;
    do {
      out.addAll(comparisonOrRange(scanner));
      boolean blanks = scanner.skipBlanks();
      boolean comma = scanner.take(",");
      if (comma) {
        scanner.skipBlanks();
      }
      more = comma || blanks && !scanner.isAtEnd() && !scanner.isNext("||");
    } while (more);
    return out;
  }

  /** {@code 1.2 - 1.4} is {@code >= 1.2, <= 1.4}. */
  private static List<VersionConstraint> comparisonOrRange(VersionScanner scanner) throws ValueException {
    Optional<String> operator = OPERATORS.stream().filter(scanner::take).findFirst();
    if (operator.isPresent()) {
      scanner.skipBlanks();
      return List.of(operand(operator.get(), scanner));
    }
    VersionConstraint first = operand("", scanner);
    return scanner.takeDash()
        ? List.of(new VersionConstraint(">=", first.version, first.given), operand("<=", scanner))
        : List.of(first);
  }

  private static VersionConstraint operand(String operator, VersionScanner scanner) throws ValueException {
    VersionScanner.Core core = scanner.coreWithPlaceholders();
    String prerelease = scanner.prerelease();
    scanner.metadata();
    return new VersionConstraint(operator, new Version(core.major(), core.minor(), core.patch(), prerelease, "", ""),
        core.given());
  }

  /** Returns whether one of the alternatives holds. */
  static boolean holds(List<List<VersionConstraint>> alternatives, Version candidate) {
    return alternatives.stream().anyMatch(all -> allHold(all, candidate));
  }

  /** A prerelease matches only where one of the comparisons names one. */
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

  /** Compares major and, if given, minor. */
  private boolean isNear(Version v) {
    if (v.compare(version) < 0) {
      return false;
    }
    if (version.major() == 0 && version.minor() == 0 && version.patch() == 0 && (given == 3 || given == 0)) {
      return true;
    }
    return v.major() == version.major() && (given < 2 || v.minor() == version.minor());
  }

  /** Returns whether all numbers up to the first one that is not 0 are equal. */
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
