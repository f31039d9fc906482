package portcullis.lang.markup;

import java.util.List;
import java.util.stream.Collectors;
import portcullis.lang.source.TerminalText;

/** HTML that is safe to show, as everything inserted into it was escaped. Immutable. */
public record Html(String markup) {
  public static final Html NONE = new Html("");

  private static final String SLOT = "{}";
  /** Control characters that have no effect but in preformatted text. */
  private static final String LAYOUT = "\t\n\r";

  /**
   * Fills the slots, {@code {}}, of constant markup: HTML is inserted as it is, everything else as escaped text, which
   * may be between tags or in quoted attributes; control and format characters, those of direction among them, are
   * shown by their numbers.
   */
  public static Html of(String constant, Object... parts) {
    StringBuilder out = new StringBuilder(constant.length() * 2);
    int from = 0;
    for (Object part : parts) {
      int slot = constant.indexOf(SLOT, from);
      if (slot < 0) {
        throw new IllegalArgumentException("more parts than slots");
      }
      out.append(constant, from, slot).append(part instanceof Html html ? html.markup : escaped(part.toString()));
      from = slot + SLOT.length();
    }
    if (constant.indexOf(SLOT, from) >= 0) {
      throw new IllegalArgumentException("more slots than parts");
    }
    return new Html(out.append(constant, from, constant.length()).toString());
  }

  /** Concatenates the pieces. */
  public static Html join(List<Html> pieces) {
    return new Html(pieces.stream().map(Html::markup).collect(Collectors.joining()));
  }

  private static String escaped(String text) {
    return TerminalText.escaped(text, LAYOUT).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        .replace("\"", "&quot;").replace("'",
            "&#39;");
  }
}
