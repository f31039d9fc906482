package portcullis.serve.service;

import java.util.List;

/** How the program is; asked anew for each request, by any thread. */
public interface StatusSource {
  /** Why requests are not served, each in a few words; empty where they are. */
  List<String> unreadyReasons();

  /** All that operators may know of it. */
  StatusReport report();
}
