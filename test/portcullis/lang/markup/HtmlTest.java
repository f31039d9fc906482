package portcullis.lang.markup;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HtmlTest {
  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
      plain      | plain
      <b>        | &lt;b&gt;
      a&b        | a&amp;b
      &lt;       | &amp;lt;
      "x" 'y'    | &quot;x&quot; &#39;y&#39;
      {}         | {}
      \u202eda    | \\u202eda
      a\u001b[2J  | a\\u001b[2J
      \u009b1\u0000x | \\u009b1\\u0000x
      a\u200bb    | a\\u200bb
      \udb40\udc41 | \\udb40\\udc41
      é\tœ 😀     | é\tœ 😀
      """)
  void escapesWhatGoesIn(String text, String escaped) {
    assertEquals("<i title=\"" + escaped + "\">" + escaped + "</i>",
        Html.of("<i title=\"{}\">{}</i>", text, text).markup());
  }

  @Test
  void takesItsOwnPiecesAsTheyAre() {
    Html inner = Html.of("<b>{}</b>", "{}<");
    assertEquals("<p><b>{}&lt;</b><b>{}&lt;</b></p>", Html.of("<p>{}</p>", Html.join(List.of(inner, inner))).markup());
  }

  @Test
  void slotsAndPartsAreAsMany() {
    assertThrows(IllegalArgumentException.class, () -> Html.of("{}"));
    assertThrows(IllegalArgumentException.class, () -> Html.of("{}", 1, 2));
  }
}
