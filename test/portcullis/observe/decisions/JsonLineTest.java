package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class JsonLineTest {
  @Test
  void membersAreInOrderAndSeparated() {
    JsonLine line = new JsonLine().add("a", "x").add("n", 7).add("b", true).number("f", "0.5").millis("ms", 1_234_567)
        .millis("none", -1);
    line.object("o").add("p", "q").end().list("l");
    line.item().add("i", 1).end();
    line.item().end();
    line.endList().add("s", List.of("u", "v")).add("e", List.of());
    assertEquals("{\"a\":\"x\",\"n\":7,\"b\":true,\"f\":0.5,\"ms\":1.234,\"none\":0.000,\"o\":{\"p\":\"q\"},"
        + "\"l\":[{\"i\":1},{}],\"s\":[\"u\",\"v\"],\"e\":[]}", line.text());
  }

  @Test
  void stringsCannotEndEarly() {
    assertEquals("{\"a\\\"\":\"b\\\"\\\\\\n<\u00e9>\",\"l\":[\"\\\"\",\"&\"]}",
        new JsonLine().add("a\"", "b\"\\\n<\u00e9>").add("l", List.of("\"", "&")).text());
  }
}
