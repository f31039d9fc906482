package portcullis.observe.decisions;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The responses of remote services that one request is decided by, for the decision log and shadow rules. Available to
 * everything that runs for the request on its thread; {@link #close} releases their memory.
 */
public final class RemoteAnswers implements AutoCloseable {
  /** The maximum size of what is kept of all bodies and cached values. */
  public static final int MAX_BYTES = 256 << 10;

  private static final ThreadLocal<RemoteAnswers> CURRENT = new ThreadLocal<>();

  private List<Answer> answers = List.of();
  private List<Cached> cached = List.of();
  private String step = "";
  private final AnswerMemory memory;
  private int bytes;
  private boolean complete = true;

  /** @param memory that all requests share */
  public RemoteAnswers(AnswerMemory memory) {
    this.memory = memory;
  }

  /**
   * A response.
   *
   * @param step the id of the step that made the call
   * @param key of the call ({@link CallKey})
   */
  public record Answer(String step, String method, String url, String key, int status,
      Map<String, List<String>> fields, byte[] body) {}

  /** A value that was in the cache. @param key as hexadecimal hash */
  public record Cached(String key, byte[] value) {}

  /** The handling of a request. */
  public interface Work {
    void run() throws IOException;
  }

  /** Returns those of the current thread's request; empty if they are not recorded. */
  public static Optional<RemoteAnswers> current() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Runs the work and records what it uses. */
  public void during(Work work) throws IOException {
    CURRENT.set(this);
    try {
      work.run();
    } finally {
      CURRENT.set(null); // the thread serves other requests, for which a removed entry would have to be made again
    }
  }

  /** Sets the step that makes calls from now on. */
  public void step(String id) {
    step = id;
  }

  /** Returns how many bytes of a body can still be kept. */
  public int room() {
    return MAX_BYTES - bytes;
  }

  /** Records a response. */
  public void add(String method, String url, String key, int status, Map<String, List<String>> fields,
      byte[] body) {
    if (taken(body.length)) {
      answers = answers.isEmpty() ? new ArrayList<>() : answers;
      answers.add(new Answer(step, method, url, key, status, fields, body));
    }
  }

  /** Records a value of the cache. */
  public void add(String key, byte[] value) {
    if (taken(value.length)) {
      cached = cached.isEmpty() ? new ArrayList<>() : cached;
      cached.add(new Cached(key, value));
    }
  }

  private boolean taken(int more) {
    boolean fits = more <= room() && memory.reserve(more);
    bytes += fits ? more : 0;
    complete &= fits;
    return fits;
  }

  public List<Answer> answers() {
    return answers;
  }

  public List<Cached> cached() {
    return cached;
  }

  /** Returns whether everything found room. */
  public boolean complete() {
    return complete;
  }

  @Override
  public void close() {
    memory.release(bytes);
    bytes = 0;
  }
}
