package portcullis.observe.metrics;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;
import portcullis.observe.metrics.Metric.Kind;
import portcullis.observe.metrics.Metric.Real;
import portcullis.observe.metrics.Metric.Sample;
import portcullis.observe.metrics.Metric.Whole;

/** The metrics of the JVM (semantic conventions, runtime/jvm-metrics). */
public final class VirtualMachine {
  private static final List<Double> PAUSES = List.of(0.01, 0.1, 1.0, 10.0);

  private VirtualMachine() {}

  public static void measure(Registry registry) {
    memory(registry, "jvm.memory.used", "Memory in use", MemoryPoolMXBean::getUsage, MemoryUsage::getUsed);
    memory(registry, "jvm.memory.committed", "Memory that the JVM has reserved", MemoryPoolMXBean::getUsage,
        MemoryUsage::getCommitted);
    memory(registry, "jvm.memory.limit", "Maximum memory that can be used", MemoryPoolMXBean::getUsage,
        MemoryUsage::getMax);
    memory(registry, "jvm.memory.used_after_last_gc", "Memory in use after the last collection",
        MemoryPoolMXBean::getCollectionUsage,
        MemoryUsage::getUsed);
    collections(registry);
    threads(registry);
    classes(registry);
    processors(registry);
  }

  private static void memory(Registry registry, String name, String help, Function<MemoryPoolMXBean, MemoryUsage> usage,
      ToLongFunction<MemoryUsage> value) {
    registry.observe(name, "By", help, Kind.UP_DOWN_COUNTER, () -> {
      List<Sample> out = new ArrayList<>();
      for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
        Optional.ofNullable(usage.apply(pool)).map(value::applyAsLong).filter(bytes -> bytes >= 0)
            .ifPresent(bytes -> out.add(Registry.sample(new Whole(bytes), "jvm.memory.type",
                pool.getType() == MemoryType.HEAP ? "heap" : "non_heap",
                "jvm.memory.pool.name", pool.getName())));
      }
      return out;
    }, "jvm.memory.type", "jvm.memory.pool.name");
  }

  private static void collections(Registry registry) {
    Instrument<Histogram> pauses = registry.histogram("jvm.gc.duration", "s", "Duration of garbage collections", PAUSES,
        "jvm.gc.name", "jvm.gc.action");
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((notification, _) -> {
          GarbageCollectionNotificationInfo info = GarbageCollectionNotificationInfo
              .from((CompositeData) notification.getUserData());
          pauses.of(info.getGcName(), info.getGcAction()).record(info.getGcInfo().getDuration() / 1e3);
        }, notification -> notification.getType()
            .equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION), null);
      }
    }
  }

  private static void threads(Registry registry) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    registry.observe("jvm.thread.count", "{thread}", "Platform threads", Kind.UP_DOWN_COUNTER, () -> {
      long daemons = threads.getDaemonThreadCount();
      return List.of(Registry.sample(new Whole(daemons), "jvm.thread.daemon", "true"),
          Registry.sample(new Whole(threads.getThreadCount() - daemons), "jvm.thread.daemon", "false"));
    }, "jvm.thread.daemon");
  }

  private static void classes(Registry registry) {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    registry.observe("jvm.class.loaded", "{class}", "Classes loaded since the start", Kind.COUNTER,
        () -> List.of(Registry.sample(new Whole(classes.getTotalLoadedClassCount()))));
    registry.observe("jvm.class.unloaded", "{class}", "Classes unloaded since the start", Kind.COUNTER,
        () -> List.of(Registry.sample(new Whole(classes.getUnloadedClassCount()))));
    registry.observe("jvm.class.count", "{class}", "Classes loaded now", Kind.UP_DOWN_COUNTER,
        () -> List.of(Registry.sample(new Whole(classes.getLoadedClassCount()))));
  }

  private static void processors(Registry registry) {
    registry.observe("jvm.cpu.count", "{cpu}", "Processors available to the JVM", Kind.UP_DOWN_COUNTER,
        () -> List.of(Registry.sample(new Whole(Runtime.getRuntime().availableProcessors()))));
    registry.observe("jvm.cpu.time", "s", "Processor time of the JVM", Kind.COUNTER,
        () -> List.of(Registry.sample(new Real(Machine.system().getProcessCpuTime() / 1e9))));
    registry.observe("jvm.cpu.recent_utilization", "1", "Recent CPU utilization of the JVM", Kind.GAUGE,
        () -> List.of(Registry.sample(new Real(Math.max(0, Machine.system().getProcessCpuLoad())))));
  }
}
