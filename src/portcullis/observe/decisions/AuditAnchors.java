package portcullis.observe.decisions;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import portcullis.observe.telemetry.LineLog;

/** Where checkpoints are sent besides the file, each with a queue of its own, so that none delays the log. */
final class AuditAnchors implements AuditChain.Anchor, AutoCloseable {
  private final List<OutputStream> outputs = new ArrayList<>();
  private final List<LineLog> lines = new ArrayList<>();
  private Optional<Path> readable = Optional.empty();

  void add(OutputStream output, LineLog queue) {
    outputs.add(output);
    lines.add(queue);
  }

  /** Adds a file, which can be read too. */
  void add(Path path, OutputStream output, LineLog queue) {
    readable = Optional.of(path);
    add(output, queue);
  }

  /** Returns the file that can be read. */
  Optional<Path> readable() {
    return readable;
  }

  /** Looks in the file alone; nothing is known of what others have. */
  @Override
  public Optional<ChainLine> newest(PublicKey key, Predicate<ChainLine> wanted) throws IOException {
    Optional<Path> file = readable.isEmpty() ? Optional.empty() : RotatingFile.newest(readable.get());
    return file.isEmpty() ? Optional.empty() : AnchorTail.newest(file.get(), key, wanted);
  }

  @Override
  public void offer(String checkpoint) {
    lines.forEach(queue -> queue.offer(checkpoint));
  }

  long dropped() {
    return lines.stream().mapToLong(LineLog::dropped).sum();
  }

  /** Sends what is queued, for up to five seconds each. */
  @Override
  public void close() {
    lines.forEach(LineLog::close);
    for (OutputStream output : outputs) {
      try {
        output.close();
      } catch (IOException _) {
        // everything that could be sent has been
      }
    }
  }
}
