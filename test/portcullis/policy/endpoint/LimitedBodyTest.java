package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseMemory;

/** Bytes of remote services count as memory for parsing while they are read. */
class LimitedBodyTest {
  private static final int CHUNK = 8192;
  private final CallLimits limits = Setup.limits(Optional.empty(), Optional.empty(), Optional.empty());
  private final AtomicLong held = new AtomicLong();

  private byte[] read(int length, ParseMemory memory) throws IOException, CallFailure {
    FilterInputStream in = new FilterInputStream(new ByteArrayInputStream(new byte[length])) {
      @Override
      public int read(byte[] bytes, int from, int most) throws IOException {
        held.set(Math.max(held.get(), memory.used()));
        return super.read(bytes, from, most);
      }
    };
    return new LimitedBody(in, limits, System.nanoTime() + limits.whole().toNanos(), memory).read();
  }

  @Test
  void countsTwiceWhatFollowsTheFirstChunk() throws Exception {
    ParseMemory memory = new ParseMemory(1 << 20);
    assertArrayEquals(new byte[3 * CHUNK], read(3 * CHUNK, memory));
    assertEquals(4 * CHUNK, held.get());
    assertEquals(0, memory.used());
  }

  @Test
  void smallAnswersTakeNoMemory() throws Exception {
    assertArrayEquals(new byte[CHUNK], read(CHUNK, new ParseMemory(0)));
  }

  @Test
  void largerThanTheShareIsTooLarge() {
    ParseMemory memory = new ParseMemory(8 * CHUNK);
    CallFailure failure = assertThrows(CallFailure.Unreachable.class, () -> read(4 * CHUNK, memory));
    assertEquals("the answer is too large: it takes more memory than one client may have for parsing",
        failure.getMessage());
    assertEquals(0, memory.used());
  }

  @Test
  void exhaustedMemoryIsAnErrorOfItsOwn() throws BudgetExceededException {
    ParseMemory memory = new ParseMemory(8 * CHUNK);
    try (ParseMemory.Lease one = memory.lease(""); ParseMemory.Lease other = memory.lease("")) {
      one.reserve(4 * CHUNK);
      other.reserve(4 * CHUNK);
      CallFailure failure = assertThrows(CallFailure.Exhausted.class, () -> read(CHUNK + 1, memory));
      assertEquals("too much is being parsed at once", failure.getMessage());
      assertEquals(8 * CHUNK, memory.used());
    }
  }
}
