package portcullis.observe.decisions;

import portcullis.lang.value.JsonText;

/** Writes a JSON object in one line, members in the order in which they are added. For one thread. */
public final class JsonLine {
  private static final int EXPECTED = 768;

  private final StringBuilder out = new StringBuilder(EXPECTED).append('{');
  private boolean first = true;

  public JsonLine add(String name, String value) {
    name(name);
    quote(value);
    return this;
  }

  public JsonLine add(String name, long value) {
    name(name);
    out.append(value);
    return this;
  }

  public JsonLine add(String name, boolean value) {
    name(name);
    out.append(value);
    return this;
  }

  /** Adds a number of milliseconds with three decimals. */
  public JsonLine millis(String name, long nanos) {
    name(name);
    long micros = Math.max(nanos, 0) / 1_000;
    out.append(micros / 1_000).append('.');
    long rest = micros % 1_000;
    out.append((char) ('0' + rest / 100)).append((char) ('0' + rest / 10 % 10)).append((char) ('0' + rest % 10));
    return this;
  }

  /** Adds a number as it is written in JSON. */
  public JsonLine number(String name, String json) {
    name(name);
    out.append(json);
    return this;
  }

  /** Adds a member that is a list of strings. */
  public JsonLine add(String name, Iterable<String> values) {
    open(name, '[');
    for (String value : values) {
      comma();
      quote(value);
    }
    return close(']');
  }

  /** Begins a member that is an object; ended by {@link #end}. */
  public JsonLine object(String name) {
    return open(name, '{');
  }

  public JsonLine end() {
    return close('}');
  }

  /** Begins a member that is a list of objects; ended by {@link #endList}. */
  public JsonLine list(String name) {
    return open(name, '[');
  }

  /** Begins an object in a list; ended by {@link #end}. */
  public JsonLine item() {
    comma();
    out.append('{');
    first = true;
    return this;
  }

  public JsonLine endList() {
    return close(']');
  }

  private JsonLine open(String name, char bracket) {
    name(name);
    out.append(bracket);
    first = true;
    return this;
  }

  private JsonLine close(char bracket) {
    out.append(bracket);
    first = false;
    return this;
  }

  private void name(String name) {
    comma();
    quote(name);
    out.append(':');
  }

  private void quote(String text) {
    if (JsonText.isPlain(text)) {
      out.append('"').append(text).append('"');
    } else {
      out.append(JsonText.quoted(text, false));
    }
  }

  private void comma() {
    if (!first) {
      out.append(',');
    }
    first = false;
  }

  /** Returns the whole object; nothing can be added after that. */
  public String text() {
    return out.append('}').toString();
  }
}
