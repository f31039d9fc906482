package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordBudgetTest {
  private static final Optional<String> NONE = Optional.empty();

  private final RecordBudget budget = new RecordBudget();

  private static byte[] record(int size) {
    byte[] out = new byte[size];
    out[0] = 23;
    out[3] = (byte) (size - 5 >> 8);
    out[4] = (byte) (size - 5);
    return out;
  }

  /** Takes a record as the JDK does, the header first. */
  private Optional<String> take(int size) {
    Optional<String> first = budget.take(record(size), 0, 5);
    return first.or(() -> budget.take(record(size), 5, size - 5));
  }

  private Optional<String> takeData(int size) {
    Optional<String> out = take(size);
    budget.data();
    return out;
  }

  @Test
  void aHandshakeHasSoManyRecords() {
    for (int i = 0; i < RecordBudget.HANDSHAKE_RECORDS; i++) {
      assertEquals(NONE, take(6));
    }
    assertEquals(Optional.of(RecordBudget.LONG), take(6));
  }

  @Test
  void aHandshakeHasSoManyBytes() {
    int size = 1 << 12;
    for (int i = 0; i <= RecordBudget.HANDSHAKE_BYTES / size; i++) {
      assertEquals(NONE, take(size));
    }
    assertEquals(Optional.of(RecordBudget.LONG), take(6));
  }

  /** A message of 32 KB, the JDK's longest, in the shortest fragments that a client can ask for, and others beside. */
  @Test
  void theLongestHandshakeFits() {
    assertEquals(NONE, take(1 << 14));
    for (int i = 0; i < (1 << 15) / 512; i++) {
      assertEquals(NONE, take(512 + 5 + 80));
    }
    for (int i = 0; i < 20; i++) {
      assertEquals(NONE, take(300));
    }
  }

  /** The record that takes too much is noticed when the next one begins: the last one may be the end. */
  @Test
  void afterwardsRecordsWithoutDataAreFew() {
    take(300);
    budget.open();
    for (int i = 0; i < RecordBudget.FIRST / 32; i++) {
      assertEquals(NONE, take(32));
    }
    assertEquals(NONE, take(32));
    assertEquals(Optional.of(RecordBudget.IDLE), take(32));
  }

  @Test
  void recordsAreKnownHoweverTheyAreCut() {
    budget.open();
    byte[] all = new byte[40 * 30];
    for (int i = 0; i < 40; i++) {
      System.arraycopy(record(30), 0, all, 30 * i, 30);
    }
    int noticed = 0;
    for (int i = 0; i < all.length && noticed == 0; i++) {
      noticed = budget.take(all, i, 1).isPresent() ? i : 0;
    }
    assertEquals(35 * 30, noticed);
    RecordBudget other = new RecordBudget();
    other.open();
    assertEquals(NONE, other.take(all, 0, 35 * 30));
    assertEquals(Optional.of(RecordBudget.IDLE), other.take(all, 35 * 30, 30));
  }

  @Test
  void recordsWithAByteOfDataGoOnForEver() {
    budget.open();
    for (int i = 0; i < 100_000; i++) {
      assertEquals(NONE, takeData(23));
    }
  }

  @Test
  void anUpdateOfKeysForSevenRecordsWithDataIsFine() {
    budget.open();
    for (int i = 0; i < 10_000; i++) {
      assertEquals(NONE, i % 8 == 7 ? take(27) : takeData(23));
    }
  }

  @Test
  void dataEarnsTheLongestRecordButNotTwo() {
    budget.open();
    for (int i = 0; i < 10_000; i++) {
      takeData(23);
    }
    assertEquals(NONE, take(RecordBudget.MOST));
    assertEquals(NONE, takeData(23));
    assertEquals(NONE, take(RecordBudget.MOST));
    assertEquals(Optional.of(RecordBudget.IDLE), takeData(23));
  }
}
