package portcullis.policy.route;

import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;

/** The positions of strings of a rule, for messages. */
final class Origins {
  private Origins() {}

  /** Returns where all of it was written. */
  static Origin of(LocatedText text) {
    return text.at(0, text.text().length());
  }

  /**
   * Returns the position for the end of a message, {@code (file:line:column)} after a blank; empty for entries without
   * position.
   */
  static String named(LocatedText text) {
    String place = of(text).text();
    return place.isEmpty() ? "" : " (" + place + ")";
  }
}
