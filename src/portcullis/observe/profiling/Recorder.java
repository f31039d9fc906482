package portcullis.observe.profiling;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * JFR recordings: one that runs from the start to {@link #close} with rare and cheap events, limited to 16 MiB; and
 * short ones on demand, one at a time. Thread safe.
 */
final class Recorder implements AutoCloseable {
  static final Duration CPU_PERIOD = Duration.ofMillis(10);
  private static final Duration NOTABLE = Duration.ofMillis(1);
  private static final long MOST_KEPT = 16 << 20;

  /**
   * Events with the environment and command line of this or of other processes, which may contain secrets.
   */
  static final List<String> LEFT_OUT = List.of("jdk.InitialEnvironmentVariable", "jdk.InitialSystemProperty",
      "jdk.JVMInformation", "jdk.SystemProcess");

  /** Work of the calling thread during a recording. */
  interface Meanwhile {
    void pass(Duration time) throws IOException, InterruptedException;
  }

  private final Semaphore one = new Semaphore(1);
  private final Recording always;

  Recorder() {
    always = new Recording();
    always.setName("portcullis");
    always.setToDisk(true);
    always.setMaxSize(MOST_KEPT);
    waits(always);
    always.enable("jdk.ObjectAllocationSample").with("throttle", "50/s");
    always.enable("jdk.OldObjectSample").withStackTrace();
    always.enable("jdk.ThreadStart").withStackTrace();
    always.start();
  }

  private static void waits(Recording recording) {
    recording.enable("jdk.JavaMonitorEnter").withStackTrace().withThreshold(NOTABLE);
    recording.enable("jdk.ThreadPark").withStackTrace().withThreshold(NOTABLE);
  }

  /** Returns the events of the continuous recording. */
  List<RecordedEvent> past() throws IOException {
    Path file = Files.createTempFile("portcullis", ".jfr");
    try {
      always.dump(file);
      return RecordingFile.readAllEvents(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /** Returns what happens from now on for that time; empty if a recording is in progress. */
  Optional<List<RecordedEvent>> events(Duration time, Map<String, Duration> periods, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    Recording recording = new Recording();
    recording.enable("jdk.ObjectAllocationSample").with("throttle", "1000/s");
    waits(recording);
    periods.forEach((event, period) -> recording.enable(event).withPeriod(period));
    Optional<Path> file = recorded(recording, time, meanwhile);
    try {
      return file.isEmpty() ? Optional.empty() : Optional.of(RecordingFile.readAllEvents(file.get()));
    } finally {
      if (file.isPresent()) {
        Files.deleteIfExists(file.get());
      }
    }
  }

  /**
   * Returns a JFR recording of that time without the events of {@link #LEFT_OUT}; empty if a recording is in progress.
   */
  Optional<byte[]> trace(Duration time) throws IOException, InterruptedException {
    Optional<Path> file;
    try {
      Recording recording = new Recording(Configuration.getConfiguration("profile"));
      LEFT_OUT.forEach(recording::disable);
      file = recorded(recording, time, Thread::sleep);
    } catch (ParseException e) {
      throw new IOException("the JDK's own settings for recordings cannot be read", e);
    }
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readAllBytes(file.get()));
    } finally {
      Files.deleteIfExists(file.get());
    }
  }

  private Optional<Path> recorded(Recording recording, Duration time, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    try (recording) {
      if (!one.tryAcquire()) {
        return Optional.empty();
      }
      try {
        recording.start();
        meanwhile.pass(time);
        recording.stop();
        Path file = Files.createTempFile("portcullis", ".jfr");
        recording.dump(file);
        return Optional.of(file);
      } finally {
        one.release();
      }
    }
  }

  @Override
  public void close() {
    always.close();
  }
}
