package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheSettingsTest {
  @ParameterizedTest
  @CsvSource({"128, 4096, 128", "128, 512, 128", "128, 128, 32", "64, 128, 32", "16, 128, 16"})
  void cacheTakesAtMostAQuarterOfTheHeap(long configured, long heap, long bytes) {
    assertEquals(bytes << 20, CacheSettings.bounded(configured << 20, heap << 20));
  }
}
