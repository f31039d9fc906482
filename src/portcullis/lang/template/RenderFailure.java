package portcullis.lang.template;

import portcullis.lang.source.Origin;

/**
 * Reports that a template cannot be rendered for some data, and where in the template. An expected outcome, so without
 * stack trace.
 */
public final class RenderFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Origin at;

  RenderFailure(Origin at, String message) {
    super(at.text().isEmpty() ? message : at.text() + ": " + message, null, false, false);
    this.at = at;
  }

  /** Returns the place in the template's file, with which the message begins. */
  public Origin at() {
    return at;
  }
}
