package portcullis.lang.template;

import portcullis.lang.source.Origin;

/**
 * A value of a client that a template writes into a structured text without quoting it.
 *
 * @param written the action or the part of it, as in the source
 * @param value which value it is
 */
public record Insertion(Origin at, String written, ClientValue value, Context context) {
  /** The kind of output that a template writes. */
  public enum Context {
    JSON("JSON", "quote"), HTML("HTML", "html"), FORM("a form", "urlenc"), HEADER("a list in a header field", "urlenc");

    private final String text;
    private final String function;

    Context(String text, String function) {
      this.text = text;
      this.function = function;
    }

    /** Returns the name in messages. */
    public String text() {
      return text;
    }

    /** Returns the name of the function that quotes. */
    public String function() {
      return function;
    }
  }
}
