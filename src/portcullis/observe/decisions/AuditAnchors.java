package portcullis.observe.decisions;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import portcullis.observe.telemetry.LineLog;

/** Where checkpoints are sent besides the file, each with a queue of its own, so that none delays the log. */
final class AuditAnchors implements AutoCloseable {
  private final List<OutputStream> outputs = new ArrayList<>();
  private final List<LineLog> lines = new ArrayList<>();

  void add(OutputStream output, LineLog queue) {
    outputs.add(output);
    lines.add(queue);
  }

  void offer(String checkpoint) {
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
