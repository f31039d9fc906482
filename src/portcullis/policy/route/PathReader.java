package portcullis.policy.route;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Escapes;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Reads a path pattern: {@code 1*( "/" ( ":" name / "*" name / [ "\" ] literal ) )}; used once. */
final class PathReader {
  private static final int MOST_SEGMENTS = 1000;

  private final LocatedText source;
  private final String text;
  private final Problems problems;
  private final List<Segment> segments = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private boolean failed;

  PathReader(LocatedText source, Problems problems) {
    this.source = source;
    this.text = source.text();
    this.problems = problems;
  }

  Optional<PathPattern> read() {
    if (!text.startsWith("/")) {
      fail(0, text.length(), text.isEmpty() ? "the path is empty" : "`" + text + "` does not begin with a slash",
          "write `/" + text + "`");
      return Optional.empty();
    }
    for (int from = 1; from >= 1 && !failed;) {
      int slash = text.indexOf('/', from);
      segment(from, slash < 0 ? text.length() : slash, slash < 0);
      from = slash + 1;
    }
    return failed ? Optional.empty() : Optional.of(new PathPattern(source, segments));
  }

  private void segment(int from, int end, boolean last) {
    String written = text.substring(from, end);
    if (segments.size() == MOST_SEGMENTS) {
      fail(from, end - from, "the path has more than " + MOST_SEGMENTS + " segments", "");
    } else if (written.startsWith(":")) {
      segments.add(new Segment.Single(name(from + 1, end)));
    } else if (written.startsWith("*") && last) {
      segments.add(new Segment.Rest(name(from + 1, end)));
    } else if (written.startsWith("*")) {
      fail(from, end - from, "`" + text.substring(end) + "` follows the free wildcard `" + written
          + "`, which takes all that is left", "let it be the last, or write `:name` for a single segment");
    } else {
      literal(from, end, last);
    }
  }

  private String name(int from, int end) {
    String name = text.substring(from, end);
    String wildcard = text.substring(from - 1, end);
    if (name.equals(Segment.UNNAMED)) {
      return name;
    }
    if (!names.add(name)) {
      fail(from, end - from, "two wildcards of one path are named `" + name + "`", "give each its own name");
    } else if (name.isEmpty()) {
      warn(from - 1, 1, "the wildcard `" + wildcard + "` has the empty name",
          "write `" + wildcard + "*` for one without name");
    } else if (!name.chars().allMatch(PathReader::isNameCharacter)) {
      warn(from - 1, wildcard.length(), "`" + wildcard + "` is a wildcard with the name `" + name + "`",
          "write `\\" + wildcard + "` to mean these characters");
    }
    return name;
  }

  private static boolean isNameCharacter(int c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  private void literal(int from, int end, boolean last) {
    String written = text.substring(from, end);
    boolean escaped = written.startsWith("\\") && written.length() > 1 && ":*\\".indexOf(written.charAt(1)) >= 0;
    String plain = escaped ? written.substring(1) : written;
    if (plain.isEmpty() && !last) {
      fail(from - 1, 2, "an empty segment never occurs: slashes in a row count as one", "write one `/`");
    }
    checkCharacters(plain, end - plain.length());
    String normalized = RequestPath.normalized(plain);
    if (normalized.equals(".") || normalized.equals("..")) {
      fail(from, end - from, "the dot segment `" + written + "` never occurs: it is resolved before rules are matched",
          "write the path without it");
    }
    if (!failed) {
      checkOccurrence(from, end, normalized);
      checkMeaning(from, written);
    }
    segments.add(new Segment.Literal(normalized));
  }

  /** Literals that look as if something else was meant. */
  private void checkMeaning(int from, String written) {
    if (written.length() > 2 && written.startsWith("{") && written.endsWith("}")) {
      warn(from, written.length(), "`" + written + "` is not a wildcard",
          "write `:" + written.substring(1, written.length() - 1) + "`");
    } else if (written.length() > 1 && written.endsWith("*") && !written.startsWith("\\")) {
      warn(from, written.length(), "the `*` of `" + written + "` is not a wildcard: it does not begin the segment",
          "write `/**` for all that is left of a path");
    }
  }

  private void checkCharacters(String plain, int from) {
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      if (c == '?' || c == '#') {
        fail(from + i, 1, "`" + c + "` is not allowed in a path: rules see neither query nor fragment",
            "write `%" + (c == '?' ? "3F" : "23") + "` for the character");
      } else if (c == '%' && !Escapes.isEscape(plain, i)) {
        fail(from + i, 1, "`%` does not begin an escape", "write `%25` for the character");
      }
    }
  }

  /** Paths that are refused before rules are matched, as those with a backslash, fit nothing. */
  private void checkOccurrence(int from, int end, String normalized) {
    try {
      RequestPath.read("/" + normalized);
    } catch (ResponseStatusException e) {
      warn(from, end - from, "`" + text.substring(from, end) + "` never occurs: paths that have it are refused", "");
    }
  }

  private void fail(int from, int length, String message, String hint) {
    if (!failed) {
      problems.error(source.at(from, length), source.path(), message, hint);
    }
    failed = true;
  }

  private void warn(int from, int length, String message, String hint) {
    problems.warning(source.at(from, length), source.path(), message, hint);
  }
}
