package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.JsonText;
import portcullis.observe.telemetry.LineBuffer;

/**
 * Writes a JSON object in one line, members in the order in which they are added. Names of members are printable ASCII
 * that needs no escape, except for {@link #named}. For one thread.
 */
public final class JsonLine {
  private static final int EXPECTED = 768;
  private static final byte[] FIRST_STRING = ascii("\"");
  private static final byte[] NEXT_STRING = ascii(",\"");

  /** The name of a member, encoded once: lines of decisions are written with each request. Immutable. */
  public static final class Name {
    private final byte[] first;
    private final byte[] next;
    private final byte[] firstString;
    private final byte[] nextString;

    private Name(String name) {
      this.first = ascii("\"" + name + "\":");
      this.next = ascii(",\"" + name + "\":");
      this.firstString = ascii("\"" + name + "\":\"");
      this.nextString = ascii(",\"" + name + "\":\"");
    }

    public static Name of(String name) {
      return new Name(name);
    }
  }

  private final LineBuffer out;
  private boolean first = true;

  public JsonLine() {
    this(new LineBuffer(EXPECTED));
  }

  /** @param out an empty buffer that gets the line */
  JsonLine(LineBuffer out) {
    this.out = out.ascii('{');
  }

  public JsonLine add(String name, String value) {
    name(name);
    quote(value);
    return this;
  }

  public JsonLine add(Name name, String value) {
    if (JsonText.isPlain(value)) {
      return plain(name, value);
    }
    name(name);
    quote(value);
    return this;
  }

  /** Adds a string of printable ASCII that needs no escape. */
  public JsonLine plain(String name, String value) {
    name(name);
    return plain(value);
  }

  public JsonLine plain(Name name, String value) {
    out.quoted(first ? name.firstString : name.nextString, value);
    first = false;
    return this;
  }

  private JsonLine plain(String value) {
    out.ascii('"').ascii(value).ascii('"');
    return this;
  }

  /** Adds a member whose name may be any string, as it comes from outside. */
  public JsonLine named(String name, String value) {
    comma();
    quote(name);
    out.ascii(':');
    quote(value);
    return this;
  }

  public JsonLine add(String name, long value) {
    name(name);
    out.number(value);
    return this;
  }

  public JsonLine add(Name name, long value) {
    name(name);
    out.number(value);
    return this;
  }

  public JsonLine add(String name, boolean value) {
    name(name);
    out.ascii(value ? "true" : "false");
    return this;
  }

  /** Adds a number as it is written in JSON. */
  public JsonLine number(String name, String json) {
    name(name);
    out.text(json);
    return this;
  }

  /** Adds a member that is a list of strings. */
  public JsonLine add(String name, Iterable<String> values) {
    open(name, '[');
    for (String value : values) {
      string(value);
    }
    return close(']');
  }

  /** Adds a time, as {@link java.time.Instant#toString} writes it. @param second of it */
  JsonLine time(Name name, SecondText second, int nanos) {
    out.bytes(first ? name.firstString : name.nextString).bytes(second.text());
    first = false;
    if (nanos != 0) {
      out.fraction(nanos);
    }
    out.ascii("Z\"");
    return this;
  }

  public JsonLine add(Name name, List<String> values) {
    open(name, '[');
    for (int i = 0; i < values.size(); i++) {
      string(values.get(i));
    }
    return close(']');
  }

  /** Begins a member that is an object; ended by {@link #end}. */
  public JsonLine object(String name) {
    return open(name, '{');
  }

  public JsonLine object(Name name) {
    return open(name, '{');
  }

  public JsonLine end() {
    return close('}');
  }

  /** Begins a member that is a list of objects; ended by {@link #endList}. */
  public JsonLine list(String name) {
    return open(name, '[');
  }

  public JsonLine list(Name name) {
    return open(name, '[');
  }

  /** Begins an object in a list; ended by {@link #end}. */
  public JsonLine item() {
    comma();
    out.ascii('{');
    first = true;
    return this;
  }

  /** Begins an object in a list as {@link #upTo} returns it; the value is milliseconds with three decimals. */
  public JsonLine item(byte[] begun, long nanos) {
    comma();
    out.bytes(begun).thousandths(Math.max(nanos, 0) / 1_000);
    return this;
  }

  /** Adds members as {@link #members()} returns them. */
  public JsonLine members(byte[] written) {
    comma();
    out.bytes(written);
    return this;
  }

  public JsonLine endList() {
    return close(']');
  }

  private JsonLine open(String name, char bracket) {
    name(name);
    out.ascii(bracket);
    first = true;
    return this;
  }

  private JsonLine open(Name name, char bracket) {
    name(name);
    out.ascii(bracket);
    first = true;
    return this;
  }

  private JsonLine close(char bracket) {
    out.ascii(bracket);
    first = false;
    return this;
  }

  private void name(String name) {
    comma();
    out.ascii('"').ascii(name).ascii("\":");
  }

  private void name(Name name) {
    out.bytes(first ? name.first : name.next);
    first = false;
  }

  private void string(String value) {
    if (JsonText.isPlain(value)) {
      out.quoted(first ? FIRST_STRING : NEXT_STRING, value);
      first = false;
    } else {
      comma();
      quote(value);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void quote(String text) {
    if (JsonText.isPlain(text)) {
      plain(text);
    } else {
      out.text(visible(JsonText.quoted(text, false)));
    }
  }

  /** Returns JSON with escapes in place of the control and format characters of its strings, which terminals obey. */
  static String visible(String json) {
    for (int i = 0; i < json.length(); i++) {
      if (json.charAt(i) > '~') {
        return TerminalText.escaped(json, "");
      }
    }
    return json;
  }

  private void comma() {
    if (!first) {
      out.ascii(',');
    }
    first = false;
  }

  /** Returns the members, of which there is at least one, for other lines; nothing can be added after that. */
  public byte[] members() {
    byte[] whole = out.copy();
    return Arrays.copyOfRange(whole, 1, whole.length);
  }

  /** Returns the object up to the value of one more member, for lists of other lines; it cannot be used then. */
  public byte[] upTo(Name member) {
    name(member);
    return out.copy();
  }

  /** Ends the object and the line, and returns its buffer. */
  LineBuffer ended() {
    return out.ascii("}\n");
  }

  /** Returns the whole object; nothing can be added after that. */
  public String text() {
    return new String(out.ascii('}').copy(), StandardCharsets.UTF_8);
  }
}
