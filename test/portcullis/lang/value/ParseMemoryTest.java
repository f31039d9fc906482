package portcullis.lang.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Clients share the memory for parsing fairly. */
class ParseMemoryTest {
  private final ParseMemory memory = new ParseMemory(100);

  @Test
  void limitsOneClientToHalf() throws BudgetExceededException {
    try (ParseMemory.Lease lease = memory.lease("a"); ParseMemory.Lease other = memory.lease("b")) {
      lease.reserve(50);
      assertFalse(assertThrows(BudgetExceededException.class, () -> lease.reserve(1)).exhausted(),
          "no wait would help");
      ParseMemory.Lease more = memory.lease("a");
      assertTrue(assertThrows(BudgetExceededException.class, () -> more.reserve(1)).exhausted());
      other.reserve(50);
      assertEquals(100, memory.used());
    }
    assertEquals(0, memory.used());
  }

  @Test
  void releasedMemoryServesWaitingClients() throws Exception {
    ParseMemory.Lease first = memory.lease("a");
    first.reserve(50);
    CompletableFuture<Long> second = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> {
      try (ParseMemory.Lease lease = memory.lease("a")) {
        for (int tries = 0; lease.held() == 0 && tries < 60; tries++) {
          tryReserve(lease);
        }
        second.complete(lease.held());
      }
    });
    first.close();
    assertEquals(40, second.get());
  }

  private static void tryReserve(ParseMemory.Lease lease) {
    try {
      lease.reserve(40);
    } catch (BudgetExceededException _) {
      // retried
    }
  }

  @Test
  void holdersDoNotWait() throws BudgetExceededException {
    try (ParseMemory.Lease a = memory.lease("a"); ParseMemory.Lease own = memory.lease("")) {
      a.reserve(40);
      own.reserve(20);
      try (ParseMemory.Lease b = memory.lease("b")) {
        b.reserve(40);
        assertTrue(assertThrows(BudgetExceededException.class, () -> a.reserve(1)).exhausted());
      }
      a.reserve(1);
      assertEquals(61, memory.used());
    }
  }
}
