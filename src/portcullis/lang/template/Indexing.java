package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.ValueException;

/** Go's {@code index}, for lists, maps and strings. */
final class Indexing {
  private Indexing() {}

  static Item of(Arguments a) throws ValueException {
    Item found = a.item(0);
    if (found.equals(Item.ABSENT) || found.equals(Item.NIL)) {
      throw new ValueException("nothing to index");
    }
    for (Item index : a.from(1)) {
      found = at(found, index, a.rendering());
    }
    return found;
  }

  private static Item at(Item item, Item index, Rendering rendering) throws ValueException {
    return switch (item) {
      case Item.Text(String text) -> {
        byte[] bytes = Bytes.of(text);
        yield new Item.Whole(bytes[position(index, bytes.length)] & 0xFF, WholeType.UINT8);
      }
      case Item.Sequence(_, List<Item> items, _) -> items.get(position(index, items.size()));
      case Dict dict -> member(dict, index, dict.type() == DictType.TEXT ? Item.EMPTY_STRING : Item.NIL);
      case Item.Host host when host.object().entries().isPresent() -> member(
          Dict.of(host.object().entries().get(), rendering.items()), index, Item.nilList(SequenceType.TEXT));
      default -> throw new ValueException(Types.name(item) + " cannot be indexed");
    };
  }

  private static Item member(Dict dict, Item index, Item missing) throws ValueException {
    if (!(index instanceof Item.Text(String key))) {
      throw new ValueException("a map is indexed by strings, not by " + Types.name(index));
    }
    return dict.has(key) ? dict.get(key) : missing;
  }

  private static int position(Item index, int length) throws ValueException {
    if (!(index instanceof Item.Whole whole)) {
      throw new ValueException("a list is indexed by integers, not by " + Types.name(index));
    }
    if (whole.value() < 0 || whole.value() >= length) {
      throw new ValueException("index " + whole.value() + " is out of range: the length is " + length);
    }
    return (int) whole.value();
  }
}
