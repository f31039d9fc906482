package portcullis.lang.gjson;

import java.util.Optional;

/**
 * The first part of a path, met by a list.
 *
 * @param part as written: a position, {@code #}, a query
 * @param query which elements are meant, where they are asked for
 */
record ArrayStep(String part, boolean counts, Optional<Query> query, Rest rest) {
  private static final int MOST_DIGITS = 9;

  static ArrayStep parse(String path) {
    boolean counts = false;
    Optional<Query> query = Optional.empty();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '|') {
        return new ArrayStep(path.substring(0, i), counts, query, Rest.piped(path.substring(i + 1)));
      }
      if (c == '.') {
        String behind = path.substring(i + 1);
        Rest rest = counts ? new Rest(behind, Rest.Join.POINT) : Rest.behindPoint(behind);
        return new ArrayStep(path.substring(0, i), counts, query, rest);
      }
      if (c == '#') {
        counts = true;
        if (i == 0 && (path.startsWith("#(") || path.startsWith("#["))) {
          query = Query.parse(path);
          if (query.isEmpty()) {
            query = Optional.of(Query.BAD);
            break;
          }
          i = query.get().end() - 1;
        }
      }
    }
    return new ArrayStep(path, counts, query, Rest.NOTHING);
  }

  /** Whether each element's own is collected: {@code #.name}. */
  boolean collects() {
    return part.equals("#") && query.isEmpty() && rest.more();
  }

  /** The position that digits spell; -1 for everything else. */
  static int position(String digits) {
    boolean number = !digits.isEmpty() && digits.length() <= MOST_DIGITS && Digits.areAll(digits, 0);
    return number ? Integer.parseInt(digits) : -1;
  }
}
