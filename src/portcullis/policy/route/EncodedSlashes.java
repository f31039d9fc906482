package portcullis.policy.route;

import portcullis.http.message.Escapes;
import portcullis.http.message.Grammar;

/** The treatment of `%2F` in a path: whether it may occur, and whether captures show it decoded. */
public enum EncodedSlashes {
  /** A path that has one is refused. Parameters are compared with captures as they stand in the path. */
  OFF,
  /** Allowed, and decoded like any other escape. */
  ON,
  /** Allowed; captures keep it, every other escape is decoded. */
  NO_DECODE;

  /** Returns whether a request for this normalised path is acceptable. */
  public boolean allows(String path) {
    return this != OFF || !path.contains("%2F");
  }

  /** Returns a capture as templates and expressions see it. */
  String decoded(String capture) {
    return Escapes.text(Grammar.wire(capture), this == ON ? "" : "%2F");
  }

  /** Returns a capture as parameters are compared with it. */
  String compared(String capture) {
    return this == OFF ? capture : decoded(capture);
  }
}
