package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WrittenPartsTest {
  private record Named(int number) {}

  private final WrittenParts<Named> parts = new WrittenParts<>();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void anObjectIsWrittenOnceInEachForm() {
    AtomicInteger written = new AtomicInteger();
    Named one = new Named(1);
    byte[] first = parts.of(one, 0, _ -> bytes("a" + written.incrementAndGet()));
    assertArrayEquals(bytes("b2"), parts.of(one, 1, _ -> bytes("b" + written.incrementAndGet())));
    assertSame(first, parts.of(one, 0, _ -> bytes("c" + written.incrementAndGet())));
    assertEquals(2, written.get());
  }

  /** Objects that are equal are not the same: a rule of a reloaded rule set may stand elsewhere. */
  @Test
  void anotherObjectHasItsOwnBytesWhateverItsPlace() {
    Named[] many = IntStream.range(0, 20_000).mapToObj(i -> new Named(i % 2)).toArray(Named[]::new);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < many.length; i++) {
        String own = Integer.toString(i);
        assertArrayEquals(bytes(own), parts.of(many[i], 0, _ -> bytes(own)));
      }
    }
  }
}
