package portcullis.observe.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the files of Linux say of the process, as OpenTelemetry's conventions name it. */
class MachineTest {
  private final Registry registry = new Registry();
  @TempDir
  Path proc;

  @BeforeEach
  void measure() throws IOException {
    Files.createDirectories(proc.resolve("self/task/7"));
    Machine.measure(registry, proc);
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(Files.createDirectories(proc.resolve(file).getParent()).resolve(
        proc.resolve(file).getFileName()), text);
  }

  private void switches(int thread, int voluntary, int involuntary) throws IOException {
    write("self/task/" + thread + "/status", "Name:\tjava\nvoluntary_ctxt_switches:\t" + voluntary
        + "\nnonvoluntary_ctxt_switches:\t" + involuntary + "\n");
  }

  /** The values of a metric by their one attribute. */
  private Map<Object, Object> values(String name) {
    Map<Object, Object> out = new TreeMap<>();
    for (Metric metric : registry.read()) {
      if (metric.name().equals(name)) {
        metric.samples().forEach(sample -> out.put(sample.attributes().toString(),
            sample.value() instanceof Metric.Whole(long value) ? value : sample.value()));
      }
    }
    return out;
  }

  @Test
  void pageFaultsHaveTheirType() throws IOException {
    write("self/stat", "7 (a b) c) S 1 2 3 4 5 6 41 0 42 0 100 200 0 0 20 0 30 0\n");
    assertEquals(Map.of("{system.paging.fault.type=minor}", 41L, "{system.paging.fault.type=major}", 42L),
        values("process.paging.faults"));
  }

  @Test
  void diskBytesHaveTheirDirection() throws IOException {
    write("self/io", "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 3\n");
    assertEquals(Map.of("{disk.io.direction=read}", 4096L, "{disk.io.direction=write}", 8192L),
        values("process.disk.io"));
  }

  @Test
  void contextSwitchesOfEndedThreadsStay() throws IOException {
    switches(7, 10, 1);
    switches(8, 5, 2);
    assertEquals(switched(15, 3), values("process.context_switches"));
    Files.delete(proc.resolve("self/task/8/status"));
    Files.delete(proc.resolve("self/task/8"));
    switches(7, 11, 1);
    assertEquals(switched(16, 3), values("process.context_switches"));
    switches(7, 2, 0);
    assertEquals(switched(18, 3), values("process.context_switches"), "another thread of that number");
  }

  private static Map<Object, Object> switched(long voluntary, long involuntary) {
    return Map.of("{process.context_switch.type=voluntary}", voluntary, "{process.context_switch.type=involuntary}",
        involuntary);
  }

  @Test
  void whatCannotBeReadIsNotMeasured() throws IOException {
    Files.delete(proc.resolve("self/task/7"));
    Files.delete(proc.resolve("self/task"));
    for (String name : List.of("process.paging.faults", "process.disk.io", "process.context_switches")) {
      assertEquals(Map.of(), values(name), name);
    }
  }

  @Test
  void thisProcessIsMeasuredOnLinux() {
    Registry own = new Registry();
    Machine.measure(own);
    List<String> names = own.read().stream().filter(metric -> !metric.samples().isEmpty()).map(Metric::name).toList();
    boolean linux = Files.isReadable(Path.of("/proc/self/stat"));
    assertEquals(linux, names.containsAll(List.of("process.context_switches", "process.paging.faults")));
    assertTrue(names.contains("process.uptime"), names.toString());
  }
}
