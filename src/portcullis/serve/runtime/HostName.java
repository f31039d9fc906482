package portcullis.serve.runtime;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The name of this host. */
final class HostName {
  private HostName() {}

  static String of() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return "unknown";
    }
  }
}
