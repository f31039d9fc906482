package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.Floats;
import portcullis.lang.value.ValueException;

/**
 * Writes items as Go's fmt does with {@code %v}, except that an integer that is too long for a float64 keeps its digits
 * at the top level.
 */
final class Printer {
  private final Output out;

  Printer(Output out) {
    this.out = out;
  }

  /** Prints as an action does: a missing value is {@code <no value>}. */
  void printAction(Item item) throws ValueException {
    if (item.equals(Item.ABSENT) || item.equals(Item.NIL)) {
      out.add("<no value>");
    } else {
      print(item);
    }
  }

  void print(Item item) throws ValueException {
    print(item, 0);
  }

  private void print(Item item, int depth) throws ValueException {
    Budget.checkDepth(depth);
    switch (item) {
      case Item.Sequence(_, List<Item> items, _) -> list(items, depth);
      case Dict dict -> dict(dict, depth);
      case Item.Exact(_, double nearest) when depth > 0 -> out.add(Floats.text(nearest));
      default -> out.add(single(item));
    }
  }

  private void list(List<Item> items, int depth) throws ValueException {
    out.add('[');
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        out.add(' ');
      }
      print(items.get(i), depth + 1);
    }
    out.add(']');
  }

  private void dict(Dict dict, int depth) throws ValueException {
    out.add("map[");
    String separator = "";
    for (String key : dict.keys()) {
      out.add(separator).add(key).add(':');
      print(dict.get(key), depth + 1);
      separator = " ";
    }
    out.add(']');
  }

  /** Returns the string of an item that is neither a list nor a dict. */
  static String single(Item item) {
    return switch (item) {
      case Item.Absent _, Item.Nil _, Item.NilPointer _ -> "<nil>";
      case Item.Bool(boolean truth) -> Boolean.toString(truth);
      case Item.Whole whole -> whole(whole);
      case Item.Real(double real) -> Floats.text(real);
      case Item.Exact(String digits, _) -> digits;
      case Item.Complex(double real, double imaginary) -> complex(real, imaginary);
      case Item.Text(String text) -> text;
      case Item.Host host -> host.object().text();
      case Item.Time time -> TimeText.of(time);
      case Item.Zone zone -> TimeText.of(zone.value());
      case Item.SemVer version -> version.value().text();
      case Item.Sequence _, Dict _ -> throw new IllegalArgumentException("not a single item");
    };
  }

  private static String whole(Item.Whole whole) {
    return switch (whole.type()) {
      case DURATION, MONTH, WEEKDAY -> TimeText.of(whole);
      case INT, INT64, INT32, UINT8, UINT64 -> Long.toString(whole.value());
    };
  }

  private static String complex(double real, double imaginary) {
    String second = Floats.text(imaginary);
    return "(" + Floats.text(real) + (second.startsWith("-") || second.startsWith("+") ? "" : "+") + second + "i)";
  }
}
