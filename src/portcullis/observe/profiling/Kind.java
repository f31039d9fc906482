package portcullis.observe.profiling;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The kinds of profiles, named as in Go's {@code net/http/pprof}. */
public enum Kind {
  ALLOCS("A sampling of all past memory allocations"),
  BLOCK("Stack traces that led to blocking on synchronization primitives"),
  GOROUTINE("Stack traces of all platform and virtual threads"),
  HEAP("A sampling of memory allocations of live objects"),
  MUTEX("Stack traces of threads that waited for contended monitors and locks"),
  PROFILE("CPU profile; the parameter seconds sets the duration"),
  THREADCREATE("Stack traces that led to the creation of new threads");

  private final String meaning;

  Kind(String meaning) {
    this.meaning = meaning;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns a description. */
  public String meaning() {
    return meaning;
  }

  public static Optional<Kind> of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }
}
