package portcullis.mutation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Tests of the class that is changed; run by the tool's own test alone. */
class GateCheck {
  @Test
  void opensFromEighteenOn() {
    assertEquals("false true true", Gate.isOpen(17) + " " + Gate.isOpen(18) + " " + Gate.isOpen(19));
    Gate.unread();
  }
}
