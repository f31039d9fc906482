package portcullis.observe.telemetry;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the machine, for logs. */
public final class MachineName {
  /** The placeholder for an unknown name. */
  public static final String UNKNOWN = "unknown";
  private static final Path KERNEL = Path.of("/proc/sys/kernel/hostname");

  private MachineName() {}

  /**
   * Returns the name as the kernel has it, which the JDK would look up in the domain name system first: it waits many
   * seconds for servers that do not answer.
   */
  public static String read() {
    return read(KERNEL);
  }

  static String read(Path file) {
    try {
      String name = Files.readString(file).strip();
      return name.isEmpty() ? lookup() : name;
    } catch (IOException _) {
      return lookup();
    }
  }

  private static String lookup() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException _) {
      return UNKNOWN;
    }
  }
}
