package portcullis.demo;

import java.util.List;
import java.util.stream.Collectors;

/** A piece of HTML that is safe to show: whatever came from elsewhere has been escaped on its way in; immutable. */
record Html(String markup) {
  static final Html NONE = new Html("");

  private static final String SLOT = "{}";

  /**
   * Fills the slots, {@code {}}, of markup that is a constant of the program: pieces of HTML go in as they are,
   * everything else as escaped text, which may stand between tags and in quoted attributes.
   */
  static Html of(String constant, Object... parts) {
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

  /** The pieces one behind the other. */
  static Html join(List<Html> pieces) {
    return new Html(pieces.stream().map(Html::markup).collect(Collectors.joining()));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;").replace("'",
        "&#39;");
  }
}
