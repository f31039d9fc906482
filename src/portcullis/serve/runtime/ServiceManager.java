package portcullis.serve.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import portcullis.background.BackgroundTask;
import portcullis.observe.telemetry.Log;

/**
 * The service manager that started the process, notified by the {@code sd_notify} protocol: if {@code NOTIFY_SOCKET}
 * names a socket, it is sent each change of state, and watchdog notifications if it wants them. Without that variable
 * nothing is sent. The JDK supports Unix sockets only as streams, so libc is called. Thread safe; {@link #close} ends
 * the watchdog notifications.
 */
final class ServiceManager implements AutoCloseable {
  /** For processes without a service manager. */
  static final ServiceManager NONE = new ServiceManager(Optional.empty(), Optional.empty());

  private static final int AF_UNIX = 1;
  private static final int SOCK_DGRAM_CLOEXEC = 0x80002;
  private static final int MSG_NOSIGNAL = 0x4000;
  /** {@code sizeof sun_path} (unix(7)). */
  private static final int LONGEST_PATH = 108;
  private static final int LONGEST_STATUS = 500;

  private final Optional<Socket> socket;
  private final Optional<BackgroundTask> alive;

  private ServiceManager(Optional<Socket> socket, Optional<Duration> interval) {
    this.socket = socket;
    this.alive = interval.map(time -> new BackgroundTask(Thread.ofVirtual().name("watchdog"), () -> {
      Thread.sleep(time);
      send("WATCHDOG=1");
      return true;
    }));
  }

  /** A datagram socket of libc. */
  private record Socket(MethodHandle sendto, int descriptor, byte[] path) {
    @SuppressWarnings("restricted") // the manifest of the program enables native access
    static Socket to(String path) throws Throwable {
      Linker linker = Linker.nativeLinker();
      MethodHandle socket = linker.downcallHandle(linker.defaultLookup().findOrThrow("socket"), FunctionDescriptor
          .of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
      MethodHandle sendto = linker.downcallHandle(linker.defaultLookup().findOrThrow("sendto"),
          FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
      int descriptor = (int) socket.invokeExact(AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
      if (descriptor < 0) {
        throw new IllegalStateException("no socket can be created");
      }
      byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
      if (bytes[0] == '@') {
        bytes[0] = 0; // an abstract address
      }
      return new Socket(sendto, descriptor, bytes);
    }

    /**
     * Sends a notification and returns whether it was sent; it waits for a full queue, but not for a manager that is
     * gone.
     */
    boolean send(String state) throws Throwable {
      byte[] bytes = state.getBytes(StandardCharsets.UTF_8);
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment text = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
        MemorySegment address = arena.allocate(Short.BYTES + path.length, Short.BYTES);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) AF_UNIX);
        MemorySegment.copy(path, 0, address, ValueLayout.JAVA_BYTE, Short.BYTES, path.length);
        return (long) sendto.invokeExact(descriptor, text, (long) bytes.length, MSG_NOSIGNAL, address,
            Short.BYTES + path.length) == bytes.length;
      }
    }
  }

  /** Returns the manager that the environment names; logs a warning if it cannot be reached. */
  static ServiceManager of(Map<String, String> environment, Log log) {
    String path = environment.getOrDefault("NOTIFY_SOCKET", "");
    if (path.isEmpty()) {
      return NONE;
    }
    if (!path.matches("[/@].+") || path.getBytes(StandardCharsets.UTF_8).length >= LONGEST_PATH) {
      log.warn("NOTIFY_SOCKET is not the address of a Unix socket, the service manager is not notified", "_value",
          path);
      return NONE;
    }
    try {
      return new ServiceManager(Optional.of(Socket.to(path)), interval(environment));
    } catch (Throwable e) {
      log.warn("The service manager cannot be notified", "_socket", path, "_error", String.valueOf(e.getMessage()));
      return NONE;
    }
  }

  /** Returns half of the watchdog timeout, if the watchdog is enabled for this process. */
  private static Optional<Duration> interval(Map<String, String> environment) {
    String time = environment.getOrDefault("WATCHDOG_USEC", "");
    String process = environment.getOrDefault("WATCHDOG_PID", "");
    boolean isOurs = process.isEmpty() || process.equals(Long.toString(ProcessHandle.current().pid()));
    return isOurs && time.matches("[1-9]\\d{0,15}")
        ? Optional.of(Duration.of(Long.parseLong(time) / 2, TimeUnit.MICROSECONDS.toChronoUnit()))
        : Optional.empty();
  }

  /** Notifies that requests are accepted; {@code summary} is shown beside the state of the service. */
  void ready(String summary) {
    send("READY=1\n" + status(summary));
    alive.ifPresent(BackgroundTask::start);
  }

  /** Notifies that a reload has begun; {@link #reloaded} has to follow. */
  void reloading() {
    // CLOCK_MONOTONIC, as Linux JVMs read it for nanoTime
    send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()));
  }

  /** Notifies that a reload has ended, whether or not it was applied. */
  void reloaded(String summary) {
    send("READY=1\n" + status(summary));
  }

  void stopping() {
    send("STOPPING=1\n" + status("finishing running requests"));
  }

  private static String status(String text) {
    String line = text.replaceAll("\\s+", " ").strip();
    return "STATUS=" + (line.length() > LONGEST_STATUS ? line.substring(0, LONGEST_STATUS) + "…" : line);
  }

  private void send(String state) {
    socket.ifPresent(s -> {
      try {
        s.send(state);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    });
  }

  @Override
  public void close() {
    alive.ifPresent(BackgroundTask::close);
  }
}
