package portcullis.serve.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import portcullis.observe.telemetry.Log;

/**
 * Handles SIGHUP, which requests a reload; a process has one handler. The JDK offers only {@code sun.misc.Signal},
 * whose warning by javac cannot be suppressed, so it is called by reflection. Thread safe.
 */
final class SighupHandler {
  private static final SighupHandler ONLY = new SighupHandler();

  private Optional<Runnable> task = Optional.empty();
  private boolean missed;

  private SighupHandler() {}

  /**
   * Installs the handler: the signal is remembered instead of ending the program. Logs if the platform has no such
   * signal.
   */
  static void install(Log log) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object running = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> {
        ONLY.came();
        return null;
      });
      Object before = signal.getMethod("handle", signal, handler)
          .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), running);
      if (before == handler.getField("SIG_IGN").get(null)) {
        log.info("Signal HUP has no effect: the program was started with the signal ignored, as by nohup");
      }
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException failed ? failed.getCause() : e;
      log.info("Signal HUP has no effect", "_error", cause.getMessage());
    }
  }

  /** Sets the task that the signal runs; runs it at once if the signal was received since {@link #install}. */
  static void take(Runnable task) {
    ONLY.start(task);
  }

  private synchronized void came() {
    missed = task.isEmpty();
    task.ifPresent(Runnable::run);
  }

  private synchronized void start(Runnable next) {
    task = Optional.of(next);
    if (missed) {
      missed = false;
      next.run();
    }
  }
}
