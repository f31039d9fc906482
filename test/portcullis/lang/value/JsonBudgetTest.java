package portcullis.lang.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parsing of JSON is bounded exactly by its budget. */
class JsonBudgetTest {
  private static final ParseBudget BUDGET = new ParseBudget(40, 8, 3, 2);

  private static Value read(String text) throws ValueException {
    return Json.read(text.getBytes(UTF_8), ParseMeter.uncounted(BUDGET));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      [1,2,3,4,5,6,7]                              | [1,2,3,4,5,6,7,8]                             | it has more than \
      8 values
      [[[1]]]                                      | [[[[1]]]]                                     | it is nested \
      more than 3 levels deep
      {"a":1,"b":{"a":1,"b":2}}                    | {"a":1,"b":2,"c":3}                           | it has more than \
      2 distinct names
      ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]     | ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]     | it is larger \
      than 40 bytes
      """)
  void readsOnlyWithinTheBudget(String good, String bad, String why) throws ValueException {
    assertEquals(good, JsonText.plain(read(good)));
    BudgetExceededException error = assertThrows(BudgetExceededException.class, () -> read(bad));
    assertEquals(why, error.getMessage());
    assertTrue(!error.exhausted());
  }

  @Test
  void boundsDocumentsByDefault() {
    long before = ParseMemory.PROCESS.used();
    String values = "[" + "{},".repeat(140_000) + "{}]";
    assertThrows(BudgetExceededException.class, () -> Json.read(values));
    assertThrows(BudgetExceededException.class, () -> Json.read(values.getBytes(UTF_8)));
    assertEquals(before, ParseMemory.PROCESS.used(), "all is released, after a failure too");
  }

  @Test
  void keepsLargeIntegersDistinct() throws ValueException {
    Value one = Json.read("12345678901234567890");
    Value other = Json.read("12345678901234567891");
    assertNotEquals(one, other);
    assertEquals("12345678901234567890", JsonText.of(one));
    assertEquals("12345678901234567891", JsonText.of(other));
    assertEquals(new Value.Float(1e30), Json.read("1e30"));
  }
}
