package portcullis.serve.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import portcullis.lang.source.LocatedText;

class ExplanationStoreTest {
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-11-24T02:00:00Z"));

  private ExplanationStore store(int most, long bytes) {
    return new ExplanationStore(new DebugSettings(LocatedText.of("k", "k"), Duration.ofMinutes(15), most, bytes),
        now::get);
  }

  @Test
  void keepsBothTextsByAnIdNobodyCanGuess() {
    ExplanationStore store = store(10, 1 << 20);
    String id = store.add("{}", "ä").orElseThrow();
    assertTrue(id.matches("[0-9a-f]{32}"), id);
    assertEquals(Optional.of("{}"), store.json(id));
    assertEquals(Optional.of("ä"), store.text(id));
    assertNotEquals(id, store.add("{}", "ä").orElseThrow());
    assertEquals(Optional.empty(), store.json("0".repeat(32)));
  }

  @Test
  void oldestGoFirstByNumber() {
    ExplanationStore store = store(2, 1 << 20);
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.add(store.add("" + i, "").orElseThrow());
    }
    assertEquals(Optional.empty(), store.json(ids.get(0)));
    assertEquals(Optional.of("1"), store.json(ids.get(1)));
    assertEquals(Optional.of("2"), store.json(ids.get(2)));
  }

  @Test
  void oldestGoFirstBySize() {
    ExplanationStore store = store(100, 2000);
    String first = store.add("a".repeat(900), "").orElseThrow();
    String second = store.add("b".repeat(400), "b".repeat(400)).orElseThrow();
    assertEquals(Optional.empty(), store.json(first));
    assertTrue(store.json(second).isPresent());
    assertEquals(Optional.empty(), store.add("c".repeat(2000), ""), "larger than all may be");
    assertTrue(store.json(second).isPresent());
  }

  @Test
  void endAfterTheirTime() {
    ExplanationStore store = store(10, 1 << 20);
    String id = store.add("{}", "").orElseThrow();
    now.set(now.get().plus(Duration.ofMinutes(15)).minusMillis(1));
    assertTrue(store.json(id).isPresent());
    now.set(now.get().plusMillis(1));
    assertEquals(Optional.empty(), store.json(id));
    assertTrue(store.text(store.add("{}", "").orElseThrow()).isPresent());
  }
}
