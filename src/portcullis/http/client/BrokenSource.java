package portcullis.http.client;

import java.io.IOException;

/** The body of the request could not be read from where it comes; the cause says why. The upstream is not at fault. */
public final class BrokenSource extends IOException implements ClientFault {
  private static final long serialVersionUID = 1;

  BrokenSource(Throwable cause) {
    super("the request's body broke off", cause);
  }
}
