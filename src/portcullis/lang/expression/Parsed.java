package portcullis.lang.expression;

import java.util.List;

/**
 * A parsed expression.
 *
 * @param places where each part stands, by its number
 */
record Parsed(Syntax root, List<SourcePosition> places) {
  Parsed {
    places = List.copyOf(places);
  }

  SourcePosition place(Syntax part) {
    return places.get(part.id());
  }
}
