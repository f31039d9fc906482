package portcullis.serve.runtime;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import portcullis.observe.telemetry.Log;

/**
 * The signal SIGHUP, by which services are asked to read their configuration again; a process has one. The JDK's only
 * way to it is {@code sun.misc.Signal}, which javac warns of whatever is said to it: so it is used by its name. Thread
 * safe.
 */
final class SighupHandler {
  private static final SighupHandler ONLY = new SighupHandler();

  private Optional<Runnable> task = Optional.empty();
  private boolean missed;

  private SighupHandler() {}

  /** From now on the signal is remembered instead of ending the program; logged where there is no such signal. */
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
        log.info("Signal HUP has no effect: whoever started the program lets it be ignored, as nohup does");
      }
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException failed ? failed.getCause() : e;
      log.info("Signal HUP has no effect", "_error", cause.getMessage());
    }
  }

  /** From now on the signal starts the task, at once where it came since it was held. */
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
