package portcullis.background;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A low scheduling priority for threads whose work can wait. On Linux the JVM gives all threads the same one, whatever
 * {@link Thread#setPriority} says, so libc is called (setpriority(2)).
 */
public final class LowPriority {
  /**
   * The nice value, as a tenth of the weight of other threads: with less, the thread could keep all others waiting
   * where the JVM stops them and waits for this one too.
   */
  private static final int NICE = 10;
  private static final int PRIO_PROCESS = 0;
  private static final int CALLING_THREAD = 0;

  private LowPriority() {}

  /**
   * Gives the calling platform thread a low priority for good; returns false where the system does not allow or know
   * it.
   */
  @SuppressWarnings("restricted") // the manifest of the program enables native access
  public static boolean take() {
    try {
      Linker linker = Linker.nativeLinker();
      MethodHandle setpriority = linker.downcallHandle(linker.defaultLookup().findOrThrow("setpriority"),
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT));
      return (int) setpriority.invokeExact(PRIO_PROCESS, CALLING_THREAD, NICE) == 0;
    } catch (Throwable _) {
      return false;
    }
  }
}
