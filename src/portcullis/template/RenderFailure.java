package portcullis.template;

/** Why a template has no result for some data: what, and at which line and column of it. An outcome, so without stack trace. */
public final class RenderFailure extends Exception {
  private static final long serialVersionUID = 1;

  RenderFailure(String message) {
    super(message, null, false, false);
  }
}
