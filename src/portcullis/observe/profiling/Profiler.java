package portcullis.observe.profiling;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedObject;
import jdk.jfr.consumer.RecordedThread;
import portcullis.observe.profiling.Profile.Frame;
import portcullis.observe.profiling.Profile.Type;

/** Creates profiles. It records from its construction until {@link #close}. Thread safe. */
public final class Profiler implements AutoCloseable {
  private static final List<Type> MEMORY = List.of(new Type("alloc_objects", "count"), new Type("alloc_space", "bytes"),
      new Type("inuse_objects", "count"), new Type("inuse_space", "bytes"));
  private static final List<Type> WAITS = List.of(new Type("contentions", "count"), new Type("delay", "nanoseconds"));
  /** The default time for which virtual threads are sampled. */
  private static final Duration DEFAULT_SAMPLING = Duration.ofSeconds(1);
  private static final String PARK = "jdk.ThreadPark";
  private static final String MONITOR = "jdk.JavaMonitorEnter";

  private final Recorder recorder = new Recorder();
  private final Symbols symbols = new Symbols();
  private final InstantSource clock;

  public Profiler(InstantSource clock) {
    this.clock = clock;
  }

  /** Creates a profile; empty if it needs a recording of its own while another one is running. */
  public Optional<Output> make(Kind kind, Optional<Duration> time) throws IOException, InterruptedException {
    return switch (kind) {
      case PROFILE -> cpu(time.orElse(Duration.ofSeconds(30)));
      case ALLOCS, HEAP -> Optional.of(memory(kind));
      case BLOCK, MUTEX -> waits(kind, time);
      case GOROUTINE -> Optional.of(threads());
      case THREADCREATE -> Optional.of(created());
    };
  }

  /** A profile in its formats. */
  public interface Output {
    byte[] proto() throws IOException;

    String text();
  }

  /** Records the JVM for this time and returns the recording; empty while another one is running. */
  public Optional<byte[]> trace(Duration time) throws IOException, InterruptedException {
    return recorder.trace(time);
  }

  /** Returns the name of the function at an address of a profile; empty if there is none. */
  public String symbol(long address) {
    return symbols.name(address);
  }

  private Profile empty(List<Type> types, Type period, long length, Instant begin, Duration time) {
    return new Profile(types, period, length, begin, time, symbols);
  }

  private static Output output(Profile profile, Kind kind, String defaultType) {
    return new Output() {
      @Override
      public byte[] proto() throws IOException {
        return profile.proto(defaultType);
      }

      @Override
      public String text() {
        return profile.text(kind.text());
      }
    };
  }

  private Optional<Output> cpu(Duration time) throws IOException, InterruptedException {
    Instant begin = clock.instant();
    Optional<List<RecordedEvent>> events = recorder.events(time, Map.of("jdk.ExecutionSample", Recorder.CPU_PERIOD),
        Thread::sleep);
    long period = Recorder.CPU_PERIOD.toNanos();
    Profile out = empty(List.of(new Type("samples", "count"), new Type("cpu", "nanoseconds")),
        new Type("cpu", "nanoseconds"), period,
        begin, time);
    events.ifPresent(all -> all.stream().filter(e -> is(e, "jdk.ExecutionSample"))
        .forEach(event -> out.add(Stacks.of(event.getStackTrace()), thread(event, "sampledThread"), 1, period)));
    return events.map(_ -> output(out, Kind.PROFILE, "cpu"));
  }

  /** Allocations are samples with a weight in bytes; live objects are sampled, or counted by class without samples. */
  private Output memory(Kind kind) throws IOException {
    Profile out = empty(MEMORY, new Type("space", "bytes"), 1, clock.instant(), Duration.ZERO);
    boolean alive = false;
    for (RecordedEvent event : recorder.past()) {
      if (is(event, "jdk.ObjectAllocationSample")) {
        out.add(Stacks.of(event.getStackTrace()), Map.of("class", event.getClass("objectClass").getName()), 1,
            event.getLong("weight"), 0, 0);
      } else if (is(event, "jdk.OldObjectSample") && event.getStackTrace() != null) {
        RecordedObject object = event.getValue("object");
        String type = object == null ? "" : object.getClass("type").getName();
        out.add(Stacks.of(event.getStackTrace()), Map.of("class", type), 0, 0, 1, event.getLong("objectSize"));
        alive = true;
      }
    }
    if (!alive) {
      for (ClassHistogram.Line line : ClassHistogram.read()) {
        out.add(List.of(new Frame(line.type(), "", 0)), Map.of("class", line.type()), 0, 0, line.count(), line.bytes());
      }
    }
    return output(out, kind, kind == Kind.HEAP ? "inuse_space" : "alloc_space");
  }

  /**
   * Waits of platform threads are JFR events, without a given time all since the start; those of virtual threads are
   * sampled.
   */
  private Optional<Output> waits(Kind kind, Optional<Duration> time) throws IOException, InterruptedException {
    Profile out = empty(WAITS, WAITS.getFirst(), 1, clock.instant(), time.orElse(DEFAULT_SAMPLING));
    VirtualWaits virtual = new VirtualWaits(wait -> {
      if (kind == Kind.BLOCK || wait.lock()) {
        out.add(wait.frames(), Map.of("virtual", "true"), wait.begun() ? 1 : 0, wait.time().toNanos());
      }
    });
    Optional<List<RecordedEvent>> events;
    if (time.isPresent()) {
      events = recorder.events(time.get(), Map.of(), virtual::watch);
    } else {
      virtual.watch(DEFAULT_SAMPLING);
      events = Optional.of(recorder.past());
    }
    events.ifPresent(all -> all.stream().filter(e -> isWait(e, kind))
        .forEach(event -> out.add(Stacks.of(event.getStackTrace()),
            kind == Kind.MUTEX ? thread(event, "previousOwner") : Map.of(), 1,
            event.getDuration().toNanos())));
    return events.map(_ -> output(out, kind, "delay"));
  }

  /** JFR records waits of pinned virtual threads only, which are sampled too. */
  private static boolean isWait(RecordedEvent event, Kind kind) {
    if (event.getThread() != null && event.getThread().isVirtual()) {
      return false;
    }
    if (!is(event, PARK)) {
      return is(event, MONITOR);
    }
    RecordedClass parked = event.getClass("parkedClass");
    return kind == Kind.BLOCK || parked != null && VirtualWaits.isLock(parked.getName());
  }

  private Output threads() throws IOException {
    Type type = new Type("goroutine", "count");
    Profile out = empty(List.of(type), type, 1, clock.instant(), Duration.ZERO);
    Threads.all().forEach(thread -> out.add(thread.frames(),
        thread.virtual() ? Map.of("virtual", "true") : Map.of("thread", thread.name()), 1));
    return output(out, Kind.GOROUTINE, type.name());
  }

  private Output created() throws IOException {
    Type type = new Type("threadcreate", "count");
    Profile out = empty(List.of(type), type, 1, clock.instant(), Duration.ZERO);
    recorder.past().stream().filter(e -> is(e, "jdk.ThreadStart"))
        .forEach(event -> out.add(Stacks.of(event.getStackTrace()), thread(event, "thread"), 1));
    return output(out, Kind.THREADCREATE, type.name());
  }

  private static boolean is(RecordedEvent event, String name) {
    return event.getEventType().getName().equals(name);
  }

  private static Map<String, String> thread(RecordedEvent event, String field) {
    RecordedThread thread = event.hasField(field) ? event.getThread(field) : null;
    String name = thread == null ? null : thread.getJavaName();
    return name == null || name.isEmpty() ? Map.of() : Map.of("thread", name);
  }

  @Override
  public void close() {
    recorder.close();
  }
}
