package portcullis.observe.profiling;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The profiles there are, by the names that Go's tools ask for. */
public enum Kind {
  ALLOCS("A sampling of all past memory allocations"),
  BLOCK("Stack traces that led to blocking on synchronization primitives"),
  GOROUTINE("Stack traces of all threads, virtual ones too"),
  HEAP("A sampling of memory allocations of live objects"),
  MUTEX("Stack traces of those who waited for contended monitors and locks"),
  PROFILE("CPU profile; for how long is said by the parameter seconds"),
  THREADCREATE("Stack traces that led to the creation of new threads");

  private final String meaning;

  Kind(String meaning) {
    this.meaning = meaning;
  }

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For people. */
  public String meaning() {
    return meaning;
  }

  public static Optional<Kind> of(String text) {
    return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
  }
}
