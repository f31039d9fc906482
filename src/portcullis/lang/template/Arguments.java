package portcullis.lang.template;

import java.util.Arrays;
import java.util.List;
import portcullis.lang.value.ValueException;

/** The arguments of a function call; each has the type of its parameter. */
final class Arguments {
  private final Item[] items;
  private final Rendering rendering;

  Arguments(Item[] items, Rendering rendering) {
    this.items = items;
    this.rendering = rendering;
  }

  int size() {
    return items.length;
  }

  Item item(int index) {
    return items[index];
  }

  /** Returns the arguments from this index on. */
  List<Item> from(int index) {
    return Arrays.asList(items).subList(index, items.length);
  }

  String text(int index) {
    return ((Item.Text) items[index]).value();
  }

  byte[] bytes(int index) {
    return Bytes.of(text(index));
  }

  long whole(int index) {
    return ((Item.Whole) items[index]).value();
  }

  double real(int index) {
    return ((Item.Real) items[index]).value();
  }

  boolean truth(int index) {
    return ((Item.Bool) items[index]).value();
  }

  Dict dict(int index) {
    return (Dict) items[index];
  }

  Item.Time time(int index) {
    return (Item.Time) items[index];
  }

  Version version(int index) {
    return ((Item.SemVer) items[index]).value();
  }

  /** Returns the argument as {@code fmt} prints it. */
  String printed(int index) throws ValueException {
    return rendering.printed(items[index]);
  }

  Rendering rendering() {
    return rendering;
  }

  Budget budget() {
    return rendering.budget();
  }

  void spend(long steps) throws ValueException {
    rendering.budget().spend(steps);
  }
}
