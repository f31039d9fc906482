package portcullis.lang.gjson;

import java.util.List;
import java.util.Optional;
import portcullis.lang.value.Digits;
import portcullis.lang.value.Value;

/**
 * The first part of a path as an array reads it.
 *
 * @param part as written: a position, {@code #}, a query
 * @param query the condition on the elements, if there is one
 */
record ArrayStep(String part, boolean counts, Optional<Query> query, Rest rest) {
  private static final int MAX_DIGITS = 9;

  static ArrayStep parse(String path) {
    boolean counts = false;
    Optional<Query> query = Optional.empty();
    for (int i = 0; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '|') {
        return new ArrayStep(path.substring(0, i), counts, query, Rest.behindPipe(path.substring(i + 1)));
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
            query = Optional.of(Query.UNCLOSED);
            break;
          }
          i = query.get().end() - 1;
        }
      }
    }
    return new ArrayStep(path, counts, query, Rest.NOTHING);
  }

  /** Returns whether the rest of the path is collected from each element: {@code #.name}. */
  boolean collects() {
    return part.equals("#") && query.isEmpty() && rest.continues();
  }

  /** Returns the element at the position that digits spell. */
  static Optional<Value> element(List<Value> items, String digits) {
    int position = Digits.are(digits, MAX_DIGITS) ? Integer.parseInt(digits) : Integer.MAX_VALUE;
    return position < items.size() ? Optional.of(items.get(position)) : Optional.empty();
  }
}
