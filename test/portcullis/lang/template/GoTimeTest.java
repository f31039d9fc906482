package portcullis.lang.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoTimeTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
      2006-01-02T15:04:05Z07:00           | 2024-02-29T12:00:00Z          | 2024-02-29T12:00:00Z
      2006-01-02T15:04:05Z07:00           | 2024-02-29T12:00:00+02:00     | 2024-02-29T10:00:00Z
      2006-01-02T15:04:05.999999999Z07:00 | 2024-02-29T12:00:00.123Z      | 2024-02-29T12:00:00.123Z
      Mon, 02 Jan 2006 15:04:05 MST       | Thu, 29 Feb 2024 12:00:00 UTC | 2024-02-29T12:00:00Z
      2006-01-02                          | 2024-02-29                    | 2024-02-29T00:00:00Z
      2006-01-02                          | 2023-02-29                    | none
      2006-01-02                          | 2024-02-29 12:00              | none
      2006-01-02                          | tomorrow                      | none
      2006-01-02                          | ''                            | none
      """)
  void parsesTimesByLayout(String layout, String text, String instant) {
    assertEquals(instant == null ? "none" : instant, GoTime.parse(layout, text).map(Object::toString).orElse("none"));
  }
}
