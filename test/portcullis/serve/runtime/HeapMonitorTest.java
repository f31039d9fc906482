package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When old garbage is collected. */
class HeapMonitorTest {
  @ParameterizedTest
  @CsvSource({"0,0,false", "32,0,false", "33,0,true", "40,10,false", "43,10,true", "100,60,false", "120,60,false",
    "121,60,true", "10,60,false"})
  void isDueOnceGarbageIsAsLargeAsLiveData(long usedMegabytes, long liveMegabytes, boolean due) {
    assertEquals(due, HeapMonitor.isDue(usedMegabytes << 20, liveMegabytes << 20));
  }

  @Test
  void memoryIsShortOnlyWhereEveryCollectionLeavesNothing() {
    HeapMonitor.Shortage shortage = new HeapMonitor.Shortage(0, 0);
    for (int look = 1; look <= 5; look++) {
      shortage = shortage.after(look, 99, 100);
      assertEquals(look, shortage.looks());
    }
    assertEquals(0, shortage.after(6, 60, 100).looks(), "a collection has found memory");
    assertEquals(0, shortage.after(5, 99, 100).looks(), "nothing had to be collected");
  }

  /** The tests run with the collector of the image. */
  @Test
  void theCollectorOfTheImageHasThePoolThatIsWatched() {
    assertTrue(ManagementFactory.getMemoryPoolMXBeans().stream().anyMatch(pool -> pool.getName().equals("Tenured Gen")
        && pool.getCollectionUsage() != null));
    assertTrue(ManagementFactory.getGarbageCollectorMXBeans().stream()
        .anyMatch(bean -> bean.getName().equals("MarkSweepCompact")));
  }
}
