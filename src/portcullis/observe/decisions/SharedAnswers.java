package portcullis.observe.decisions;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * The latest responses that do not depend on a request, as published keys and metadata of issuers, so that shadow rules
 * can be applied without calls. Of limited size, the oldest ones are dropped. Thread safe.
 */
public final class SharedAnswers {
  /** The maximum size of all bodies. */
  static final int MAX_BYTES = 2 << 20;
  private static final ThreadLocal<Boolean> SHARED = new ThreadLocal<>();

  private final LinkedHashMap<String, RemoteAnswers.Answer> answers = new LinkedHashMap<>();
  private int bytes;

  /** Marks the calls of the current thread until it is closed. */
  public static final class Scope implements AutoCloseable {
    private Scope() {}

    @Override
    public void close() {
      SHARED.remove();
    }
  }

  /** Marks the calls of the current thread, which do not depend on a request. */
  public static Scope begin() {
    SHARED.set(true);
    return new Scope();
  }

  /** Returns whether the calls of the current thread are marked. */
  public static boolean isCurrent() {
    return SHARED.get() != null;
  }

  /** Keeps a response in place of an older one to the same call. */
  public synchronized void add(RemoteAnswers.Answer answer) {
    Optional<RemoteAnswers.Answer> older = Optional.ofNullable(answers.remove(answer.key()));
    bytes -= older.map(known -> known.body().length).orElse(0);
    if (answer.body().length > RemoteAnswers.MAX_BYTES) {
      return;
    }
    answers.put(answer.key(), answer);
    bytes += answer.body().length;
    while (bytes > MAX_BYTES) {
      RemoteAnswers.Answer oldest = answers.pollFirstEntry().getValue();
      bytes -= oldest.body().length;
    }
  }

  public synchronized List<RemoteAnswers.Answer> all() {
    return new ArrayList<>(answers.values());
  }
}
