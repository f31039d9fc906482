package portcullis.lang.template;

import portcullis.lang.source.Origin;

/**
 * Why a template has no result for some data: what is wrong, and where in the template. An outcome, so without stack
 * trace.
 */
public final class RenderFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final transient Origin at;

  RenderFailure(Origin at, String message) {
    super(at.text().isEmpty() ? message : at.text() + ": " + message, null, false, false);
    this.at = at;
  }

  /** The place in the template's file; the message begins with it. */
  public Origin at() {
    return at;
  }
}
