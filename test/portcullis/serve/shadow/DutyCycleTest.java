package portcullis.serve.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DutyCycleTest {
  private static final long MILLI = 1_000_000;

  private double load;

  /** Returns the pauses of a thread that works a hundred times for a millisecond, in milliseconds. */
  private long pauses(DutyCycle duty) {
    long now = MILLI;
    long out = 0;
    for (int i = 0; i < 100; i++) {
      now += MILLI;
      long pause = duty.pause(MILLI, now);
      now += pause;
      out += pause;
    }
    return out / MILLI;
  }

  @Test
  void pausesAreInProportionToTheWork() {
    DutyCycle two = new DutyCycle(2, () -> load);
    assertEquals(0, two.pause(MILLI / 20, 1), "short work is put together");
    assertEquals(4_200_000, two.pause(MILLI, 2));
    assertEquals(0, new DutyCycle(16, () -> load).pause(1000 * MILLI, 1),
        "one thread is less than a tenth of sixteen processors");
    assertEquals(9 * MILLI, new DutyCycle(1, () -> load).pause(MILLI, 1));
  }

  @Test
  void aTenthOfTheProcessorsIsUsedAtMost() {
    load = 0.19;
    assertEquals(400, pauses(new DutyCycle(2, () -> load)), "100 of 500 ms, of two processors");
    assertEquals(0, pauses(new DutyCycle(10, () -> load)), "one of ten");
  }

  @Test
  void aTwoHundredthIsUsedWhileTheProcessorsAreBusy() {
    load = 0.2;
    DutyCycle duty = new DutyCycle(2, () -> load);
    assertEquals(9900, pauses(duty), "100 of 10,000 ms, of two processors");
    load = 0.1;
    duty.pause(MILLI, 10_000 * MILLI);
    assertEquals(400, pauses(new DutyCycle(2, () -> load)));
    load = -1;
    assertEquals(400, pauses(new DutyCycle(2, () -> load)), "an unknown load is none");
  }

  @Test
  void pausesAreBounded() {
    load = 0.9;
    assertEquals(100 * MILLI, new DutyCycle(2, () -> load).pause(50 * MILLI, 1));
  }

  @Test
  void theLoadIsLookedAtNowAndThen() {
    int[] looks = {0};
    DutyCycle duty = new DutyCycle(2, () -> {
      looks[0]++;
      return 0.9;
    });
    for (int i = 1; i <= 5000; i++) {
      duty.pause(MILLI, i * MILLI);
    }
    assertEquals(5, looks[0]);
  }
}
