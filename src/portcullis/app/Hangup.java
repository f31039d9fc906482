package portcullis.app;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import portcullis.telemetry.Log;

/**
 * The signal SIGHUP, by which services are asked to read their configuration anew. The JDK's only way to it is
 * {@code sun.misc.Signal}, which javac warns of whatever is said to it: so it is used by its name.
 */
final class Hangup {
  private Hangup() {}

  /** From now on the signal starts the task in place of ending the program; said where there is no such signal. */
  static void take(Runnable task, Log log) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object running = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> {
        task.run();
        return null;
      });
      signal.getMethod("handle", signal, handler).invoke(null, signal.getConstructor(String.class).newInstance("HUP"), running);
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException failed ? failed.getCause() : e;
      log.info("Signal HUP has no effect", "_error", cause.getMessage());
    }
  }
}
