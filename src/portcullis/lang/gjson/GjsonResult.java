package portcullis.lang.gjson;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.Value;

/**
 * What was found in a JSON text.
 *
 * @param raw as it stands in the text; empty exactly if nothing was found
 * @param string the content of a text, else empty
 */
public record GjsonResult(Kind kind, String raw, String string) {
  public static final GjsonResult NONE = new GjsonResult(Kind.NULL, "", "");
  private static final double SAFE = 9_007_199_254_740_991.0;
  private static final int DEEPEST = 200;

  /** The kinds under gjson's names. */
  public enum Kind {
    NULL, FALSE, NUMBER, STRING, TRUE, JSON
  }

  static GjsonResult of(Kind kind, String raw) {
    return new GjsonResult(kind, raw, "");
  }

  /** Whether something was found; null is something. */
  public boolean exists() {
    return kind != Kind.NULL || !raw.isEmpty();
  }

  /** The number; 0 of everything else. */
  public double number() {
    return kind == Kind.NUMBER ? Digits.number(raw) : 0;
  }

  /** As it prints: whole numbers as they are written, other numbers without exponent, null and nothing as nothing. */
  public String text() {
    return switch (kind) {
      case NULL -> "";
      case FALSE -> "false";
      case TRUE -> "true";
      case STRING -> string;
      case JSON -> raw;
      case NUMBER -> Digits.areAll(raw, raw.startsWith("-") ? 1 : 0) ? raw : Digits.plain(number());
    };
  }

  /** Whether it counts as true. */
  public boolean isTrue() {
    return switch (kind) {
      case TRUE -> true;
      case STRING -> Digits.isTrue(string);
      case NUMBER -> number() != 0;
      case NULL, FALSE, JSON -> false;
    };
  }

  /** The whole number that it is or spells. */
  public long whole() {
    return switch (kind) {
      case TRUE -> 1;
      case STRING -> Digits.whole(string);
      case NUMBER -> {
        double number = number();
        boolean spelled = Math.abs(number) > SAFE && raw.length() > 1
            && Digits.areAll(raw, raw.startsWith("-") ? 1 : 0);
        boolean fits = Math.abs(number) < 0x1p63;
        yield spelled ? Digits.whole(raw) : fits ? (long) number : Long.MIN_VALUE;
      }
      case NULL, FALSE, JSON -> 0;
    };
  }

  boolean isList() {
    return kind == Kind.JSON && raw.startsWith("[");
  }

  boolean isObject() {
    return kind == Kind.JSON && raw.startsWith("{");
  }

  /** The value; of an object's members of one name the first, what cannot be read left out, at most 200 levels deep. */
  public Value value() {
    return value(1);
  }

  private Value value(int depth) {
    return switch (kind) {
      case NULL -> Value.NULL;
      case FALSE -> Value.FALSE;
      case TRUE -> Value.TRUE;
      case STRING -> Value.of(string);
      case NUMBER -> numeric();
      case JSON -> depth > DEEPEST ? Value.NULL : raw.startsWith("{") ? dict(depth) : array(depth);
    };
  }

  /** Whole numbers stay exact as far as 64 bits go; {@code -0} is none. */
  private Value numeric() {
    boolean digits = Digits.areAll(raw, raw.startsWith("-") ? 1 : 0) && number() != 0 || raw.equals("0");
    if (digits && raw.length() < 21 && Math.abs(number()) <= 0x1p63) {
      BigInteger whole = new BigInteger(raw);
      return whole.bitLength() < Long.SIZE ? Value.of(whole.longValue()) : Value.of(number());
    }
    return Value.of(number());
  }

  private Value array(int depth) {
    List<Value> items = new ArrayList<>();
    new Elements(raw).loose().forEach(item -> items.add(item.value(depth + 1)));
    return new Value.Array(items);
  }

  /** Values take turns: a name, what it names. */
  private Value dict(int depth) {
    List<GjsonResult> turns = new Elements(raw).loose();
    Map<String, Value> members = new LinkedHashMap<>();
    for (int i = 1; i < turns.size(); i += 2) {
      members.putIfAbsent(turns.get(i - 1).string(), turns.get(i).value(depth + 1));
    }
    return new Value.Dict(members);
  }
}
