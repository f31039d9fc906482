package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLineTest {
  @Test
  void membersAreInOrderAndSeparated() {
    JsonLine line = new JsonLine().add("a", "x").add("n", 7).add("b", true).number("f", "0.5");
    line.object("o").add("p", "q").end().list("l");
    line.item().add("i", 1).end();
    line.item().end();
    byte[] timed = new JsonLine().add("j", "y").upTo(JsonLine.Name.of("ms"));
    line.item(timed, 1_234_567).add("k", 2).end().item(timed, -1).end();
    line.endList().add("s", List.of("u", "v")).add("e", List.of());
    assertEquals("{\"a\":\"x\",\"n\":7,\"b\":true,\"f\":0.5,\"o\":{\"p\":\"q\"},"
        + "\"l\":[{\"i\":1},{},"
        + "{\"j\":\"y\",\"ms\":1.234,\"k\":2},{\"j\":\"y\",\"ms\":0.000}],\"s\":[\"u\",\"v\"],\"e\":[]}",
        line.text());
  }

  /** They are written alike, whether a member is the first one of its object or not. */
  @Test
  void encodedNamesAreWrittenLikeOthers() {
    JsonLine.Name name = JsonLine.Name.of("a");
    JsonLine line = new JsonLine().object(name).plain(name, "x").add(name, "\"").end().object("a").add(name, 7).end();
    line.object("a").add(name, List.of("u", "\"")).add("a", List.of()).end().list(name).endList();
    assertEquals(
        "{\"a\":{\"a\":\"x\",\"a\":\"\\\"\"},\"a\":{\"a\":7},\"a\":{\"a\":[\"u\",\"\\\"\"],\"a\":[]},\"a\":[]}",
        line.text());
  }

  @Test
  void stringsCannotEndEarly() {
    assertEquals("{\"a\\\"\":\"b\\\"\\\\\\n<\u00e9>\",\"l\":[\"\\\"\",\"&\"]}",
        new JsonLine().named("a\"", "b\"\\\n<\u00e9>").add("l", List.of("\"", "&")).text());
  }

  /** As in the log of the program: a terminal that shows the line obeys none of them. */
  @Test
  void controlAndFormatCharactersAreEscaped() {
    String raw = "\u007f\u0080\u009b\u009f\u2028\u2029\u202e\u2066\u001b\u00e9";
    String shown = "\\u007f\\u0080\\u009b\\u009f\\u2028\\u2029\\u202e\\u2066\\u001b\u00e9";
    assertEquals("{\"a\":\"" + shown + "\",\"" + shown + "\":\"" + shown + "\",\"l\":[\"" + shown + "\"]}",
        new JsonLine().add("a", raw).named(raw, raw).add("l", List.of(raw)).text());
    assertEquals("{\"time\":\"2026-01-02T03:04:05Z\",\"event\":\"e\",\"by\":\"" + shown + "\",\"d\":\"" + shown + "\"}",
        AuditEvent.of("e", raw).with("d", raw).line(Instant.parse("2026-01-02T03:04:05Z")));
  }

  @Test
  void membersOfOneLineAreAddedToAnother() {
    byte[] part = new JsonLine().add("a", "ä").object("o").add("n", 1).end().members();
    JsonLine line = new JsonLine().add("first", "x").members(part).list("l");
    line.item().members(part).add("last", true).end().endList();
    assertEquals("{\"first\":\"x\",\"a\":\"ä\",\"o\":{\"n\":1},\"l\":[{\"a\":\"ä\",\"o\":{\"n\":1},\"last\":true}]}",
        line.text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.600Z", "2026-01-02T03:04:05.006Z",
    "2026-01-02T03:04:05.000007Z", "2026-01-02T03:04:05.123456Z", "2026-01-02T03:04:05.000000001Z",
    "2026-01-02T03:04:05.999999999Z", "1969-12-31T23:59:59.5Z"})
  void timesAreThoseOfInstants(String text) {
    Instant time = Instant.parse(text);
    assertEquals("{\"time\":\"" + time + "\"}",
        new JsonLine().time(JsonLine.Name.of("time"), SecondText.of(time.getEpochSecond()), time.getNano()).text());
  }
}
