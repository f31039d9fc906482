package portcullis.observe.profiling;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Reads the stacks of all platform and virtual threads. */
final class Threads {
  private Threads() {}

  /**
   * A thread.
   *
   * @param state as {@link Thread.State} names it
   * @param blocker what it waits for, as {@code class@number}; empty if unknown
   */
  record One(String id, String name, boolean virtual, String state, String blocker, List<Profile.Frame> frames) {}

  static List<One> all() throws IOException {
    Path folder = Files.createTempDirectory("portcullis");
    Path file = folder.resolve("threads.json").toAbsolutePath();
    try {
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
      return read(Json.readOwn(Files.readAllBytes(file)));
    } catch (ValueException e) {
      throw new IOException("cannot read the thread dump of the JVM: " + e.getMessage(), e);
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  private static List<One> read(Value dump) {
    List<One> out = new ArrayList<>();
    for (Value container : items(member(dump, "threadDump"), "threadContainers")) {
      for (Value thread : items(Optional.of(container), "threads")) {
        out.add(one(thread));
      }
    }
    return out;
  }

  private static One one(Value thread) {
    List<Profile.Frame> frames = items(Optional.of(thread), "stack").stream().map(line -> Stacks.of(text(line)))
        .toList();
    boolean virtual = member(thread, "virtual").filter(v -> v.equals(Value.of(true))).isPresent();
    Optional<Value> parked = member(thread, "parkBlocker").flatMap(blocker -> member(blocker, "object"));
    String blocker = parked.or(() -> member(thread, "blockedOn")).map(Threads::text).orElse("");
    return new One(text(thread, "tid"), text(thread, "name"), virtual, text(thread, "state"), blocker, frames);
  }

  private static String text(Value value, String name) {
    return member(value, name).map(Threads::text).orElse("");
  }

  private static Optional<Value> member(Value value, String name) {
    return value instanceof Value.Dict dict ? Optional.ofNullable(dict.members().get(name)) : Optional.empty();
  }

  private static List<Value> items(Optional<Value> value, String name) {
    return value.flatMap(v -> member(v, name))
        .map(v -> v instanceof Value.Array array ? array.items() : List.<Value>of()).orElse(List.of());
  }

  private static String text(Value value) {
    return value instanceof Value.Str(String text) ? text : "";
  }
}
