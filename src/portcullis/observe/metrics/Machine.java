package portcullis.observe.metrics;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import portcullis.observe.metrics.Metric.Kind;
import portcullis.observe.metrics.Metric.Real;
import portcullis.observe.metrics.Metric.Sample;
import portcullis.observe.metrics.Metric.Whole;

/**
 * The metrics of this process and of the machine, from Linux's {@code /proc} (semantic conventions, system/).
 */
public final class Machine {
  private static final Path PROC = Path.of("/proc");
  /** The unit of {@code /proc/stat} per second: sysconf(_SC_CLK_TCK), always 100. */
  private static final double TICKS = 100;
  private static final List<String> MODES = List.of("user", "nice", "system", "idle", "iowait", "interrupt", "softirq",
      "steal");

  private final Path proc;

  /** @param proc the directory {@code /proc} */
  private Machine(Path proc) {
    this.proc = proc;
  }

  public static void measure(Registry registry) {
    measure(registry, PROC);
  }

  /** Registers the metrics; without the files they have no samples. */
  static void measure(Registry registry, Path proc) {
    Machine machine = new Machine(proc);
    machine.process(registry);
    machine.system(registry);
  }

  private void system(Registry registry) {
    registry.observe("system.cpu.logical.count", "{cpu}", "Processors of the machine", Kind.UP_DOWN_COUNTER,
        () -> List.of(Registry.sample(new Whole(system().getAvailableProcessors()))));
    registry.observe("system.cpu.time", "s", "CPU time of the machine", Kind.COUNTER, this::processorTimes, "cpu.mode");
    registry.observe("system.cpu.utilization", "1", "Recent CPU utilization of the machine", Kind.GAUGE,
        () -> List.of(Registry.sample(new Real(Math.max(0, load())))));
    registry.observe("system.memory.usage", "By", "Memory of the machine", Kind.UP_DOWN_COUNTER, () -> List.of(
        Registry.sample(new Whole(system().getTotalMemorySize() - system().getFreeMemorySize()), "system.memory.state",
            "used"),
        Registry.sample(new Whole(system().getFreeMemorySize()), "system.memory.state", "free")),
        "system.memory.state");
    registry.observe("system.memory.utilization", "1", "Memory utilization of the machine", Kind.GAUGE, () -> {
      double free = (double) system().getFreeMemorySize() / Math.max(1, system().getTotalMemorySize());
      return List.of(Registry.sample(new Real(1 - free), "system.memory.state", "used"),
          Registry.sample(new Real(free), "system.memory.state", "free"));
    }, "system.memory.state");
    registry.observe("system.memory.limit", "By", "Total memory of the machine", Kind.UP_DOWN_COUNTER,
        () -> List.of(Registry.sample(new Whole(system().getTotalMemorySize()))));
    registry.observe("system.network.io", "By", "Network traffic of the machine", Kind.COUNTER, this::networks,
        "network.interface.name", "network.io.direction");
  }

  /** Returns the recent share of the processors that is in use, by whomever, from 0 to 1; negative if it is unknown. */
  public static double load() {
    return system().getCpuLoad();
  }

  static OperatingSystemMXBean system() {
    return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  }

  private void process(Registry registry) {
    registry.observe("process.cpu.time", "s", "CPU time of the process", Kind.COUNTER, this::ownProcessorTimes,
        "cpu.mode");
    registry.observe("process.cpu.utilization", "1", "Recent CPU utilization of the process", Kind.GAUGE,
        () -> List.of(Registry.sample(new Real(Math.max(0, system().getProcessCpuLoad())))));
    registry.observe("process.memory.usage", "By", "Resident memory of the process", Kind.UP_DOWN_COUNTER,
        () -> memory("VmRSS:"));
    registry.observe("process.memory.virtual", "By", "Virtual memory of the process", Kind.UP_DOWN_COUNTER,
        () -> memory("VmSize:"));
    registry.observe("process.thread.count", "{thread}", "Threads of the process", Kind.UP_DOWN_COUNTER,
        () -> status("Threads:", 1));
    registry.observe("process.uptime", "s", "Time since the start", Kind.GAUGE,
        () -> List.of(Registry.sample(new Real(ManagementFactory.getRuntimeMXBean().getUptime() / 1e3))));
    registry.observe("process.unix.file_descriptor.count", "{file_descriptor}", "Open file descriptors of the process",
        Kind.UP_DOWN_COUNTER,
        () -> system() instanceof UnixOperatingSystemMXBean unix
            ? List.of(Registry.sample(new Whole(unix.getOpenFileDescriptorCount())))
            : List.of());
    ContextSwitches switches = new ContextSwitches(proc.resolve("self/task"));
    registry.observe("process.context_switches", "{context_switch}", "Context switches of the process",
        Kind.COUNTER, switches::read, "process.context_switch.type");
    registry.observe("process.paging.faults", "{fault}", "Page faults of the process", Kind.COUNTER, this::pageFaults,
        "system.paging.fault.type");
    registry.observe("process.disk.io", "By", "Disk traffic of the process", Kind.COUNTER,
        this::diskBytes, "disk.io.direction");
  }

  private List<Sample> memory(String name) {
    return status(name, 1024);
  }

  private List<Sample> status(String name, long unit) {
    return lines("self/status").stream().filter(line -> line.startsWith(name))
        .map(line -> Registry.sample(new Whole(number(words(line).get(1)) * unit))).toList();
  }

  /** Returns the words after the name in {@code pid (name) state ppid …}; none without the file. */
  private List<String> ownNumbers() {
    List<String> words = lines("self/stat").stream().limit(1)
        .flatMap(line -> words(line.substring(line.lastIndexOf(')') + 1)).stream()).toList();
    return words.size() > 12 ? words : List.of();
  }

  /** Returns user and system time; without the file their sum. */
  private List<Sample> ownProcessorTimes() {
    List<String> words = ownNumbers();
    if (words.isEmpty()) {
      return List.of(Registry.sample(new Real(system().getProcessCpuTime() / 1e9)));
    }
    return List.of(Registry.sample(new Real(number(words.get(11)) / TICKS), "cpu.mode", "user"),
        Registry.sample(new Real(number(words.get(12)) / TICKS), "cpu.mode", "system"));
  }

  private List<Sample> pageFaults() {
    List<String> words = ownNumbers();
    return words.isEmpty() ? List.of()
        : List.of(Registry.sample(new Whole(number(words.get(7))), "system.paging.fault.type", "minor"),
            Registry.sample(new Whole(number(words.get(9))), "system.paging.fault.type", "major"));
  }

  private List<Sample> diskBytes() {
    List<Sample> out = new ArrayList<>();
    for (String line : lines("self/io")) {
      List<String> words = words(line);
      if (words.size() == 2 && (words.get(0).equals("read_bytes:") || words.get(0).equals("write_bytes:"))) {
        out.add(Registry.sample(new Whole(number(words.get(1))), "disk.io.direction",
            words.get(0).equals("read_bytes:") ? "read" : "write"));
      }
    }
    return out;
  }

  private List<Sample> processorTimes() {
    List<Sample> out = new ArrayList<>();
    lines("stat").stream().filter(line -> line.startsWith("cpu ")).findFirst().map(Machine::words).ifPresent(words -> {
      for (int i = 0; i < MODES.size() && i + 1 < words.size(); i++) {
        out.add(Registry.sample(new Real(number(words.get(i + 1)) / TICKS), "cpu.mode", MODES.get(i)));
      }
    });
    return out;
  }

  /** Reads {@code name: received … sent …}; the first and the ninth number count bytes. */
  private List<Sample> networks() {
    List<Sample> out = new ArrayList<>();
    for (String line : lines("net/dev")) {
      int colon = line.indexOf(':');
      List<String> numbers = words(line.substring(colon + 1));
      if (colon > 0 && numbers.size() > 8) {
        String name = line.substring(0, colon).strip();
        out.add(Registry.sample(new Whole(number(numbers.get(0))), "network.interface.name", name,
            "network.io.direction", "receive"));
        out.add(Registry.sample(new Whole(number(numbers.get(8))), "network.interface.name", name,
            "network.io.direction", "transmit"));
      }
    }
    return out;
  }

  /** Returns the lines of a file of {@code /proc}; none if it cannot be read. */
  private List<String> lines(String file) {
    try {
      return Files.readAllLines(proc.resolve(file));
    } catch (IOException _) {
      return List.of();
    }
  }

  static List<String> words(String line) {
    List<String> out = new ArrayList<>();
    StringTokenizer words = new StringTokenizer(line);
    while (words.hasMoreTokens()) {
      out.add(words.nextToken());
    }
    return out;
  }

  static long number(String digits) {
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException _) {
      return 0;
    }
  }
}
