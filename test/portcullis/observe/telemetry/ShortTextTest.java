package portcullis.observe.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class ShortTextTest {
  @Test
  void textUpToTheLimitIsUnchanged() {
    String text = "a".repeat(8);
    assertSame(text, ShortText.of(text, 8));
    assertSame("", ShortText.of("", 8));
  }

  @Test
  void longerTextHasACountInPlaceOfItsMiddle() {
    assertEquals("abcdef… (1 characters) …hi", ShortText.of("abcdefghi", 8));
    assertEquals("abcdef… (18 characters) …yz", ShortText.of("abcdefghijklmnopqrstuvwxyz", 8));
  }

  /** A half of one would be written as a question mark. */
  @Test
  void charactersOutsideTheBasicPlaneAreNotHalved() {
    String smile = "\ud83d\ude00";
    assertEquals("abcde… (6 characters) …z", ShortText.of("abcde" + smile + "fg" + smile + "z", 8));
    assertEquals("abcd" + smile + "… (2 characters) …" + smile, ShortText.of("abcd" + smile + "fg" + smile, 8));
  }
}
