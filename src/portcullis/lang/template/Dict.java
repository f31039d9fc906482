package portcullis.lang.template;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import portcullis.lang.value.Value;

/**
 * A map with string keys, sorted. Mutable, as Go's maps are, but changes are never written to the data that it views;
 * for one rendering.
 */
final class Dict implements Item {
  /** Go sorts keys by their bytes; UTF-8 keeps the order of the characters. */
  static final Comparator<String> BY_CHARACTERS = (a, b) -> {
    int end = Math.min(a.length(), b.length());
    for (int i = 0; i < end; i++) {
      char c = a.charAt(i);
      char d = b.charAt(i);
      if (c != d) {
        return Integer.compare(rank(c), rank(d));
      }
    }
    return Integer.compare(a.length(), b.length());
  };

  private final DictType type;
  private final boolean nil;
  private Content content;

  private sealed interface Content {
    /** An unchanged view of the data. */
    record Read(Value.Dict data, ItemFactory items) implements Content {}

    record Own(Map<String, Item> members) implements Content {}
  }

  private Dict(DictType type, boolean nil, Content content) {
    this.type = type;
    this.nil = nil;
    this.content = content;
  }

  static Dict of(Value.Dict dict, ItemFactory items) {
    DictType type = dict.isOfStrings() ? DictType.TEXT : DictType.ANY;
    return new Dict(type, false, new Content.Read(dict, items));
  }

  static Dict empty(DictType type) {
    return new Dict(type, false, new Content.Own(new TreeMap<>(BY_CHARACTERS)));
  }

  static Dict empty() {
    return empty(DictType.ANY);
  }

  /** Returns Go's nil map, which reads as an empty one but cannot be changed. */
  static Dict nilDict() {
    return new Dict(DictType.ANY, true, new Content.Own(Map.of()));
  }

  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + 0x10000 : c;
  }

  DictType type() {
    return type;
  }

  /** Returns the same members as another type. */
  Dict as(DictType other) {
    return new Dict(other, nil, content);
  }

  /** Returns the data that it views; empty for a changed or new map. */
  Optional<Value> data() {
    return content instanceof Content.Read(Value.Dict data, _) ? Optional.of(data) : Optional.empty();
  }

  boolean isNil() {
    return nil;
  }

  int size() {
    return switch (content) {
      case Content.Read(Value.Dict data, _) -> data.members().size();
      case Content.Own(Map<String, Item> members) -> members.size();
    };
  }

  boolean has(String key) {
    return switch (content) {
      case Content.Read(Value.Dict data, _) -> data.members().containsKey(key);
      case Content.Own(Map<String, Item> members) -> members.containsKey(key);
    };
  }

  /** Returns the member with this name, or {@link Item#ABSENT}. */
  Item get(String key) {
    return switch (content) {
      case Content.Read(Value.Dict data, ItemFactory items) -> data.get(key).map(items::item).orElse(ABSENT);
      case Content.Own(Map<String, Item> members) -> members.getOrDefault(key, ABSENT);
    };
  }

  /** Returns the sorted keys. */
  List<String> keys() {
    return switch (content) {
      case Content.Read(Value.Dict data, _) -> data.members().keySet().stream().sorted(BY_CHARACTERS).toList();
      case Content.Own(Map<String, Item> members) -> List.copyOf(members.keySet());
    };
  }

  /** Sets a member; not for the nil map. */
  void put(String key, Item item) {
    changed().put(key, item);
  }

  void remove(String key) {
    if (has(key)) {
      changed().remove(key);
    }
  }

  private Map<String, Item> changed() {
    return switch (content) {
      case Content.Own(Map<String, Item> members) -> members;
      case Content.Read(Value.Dict data, ItemFactory items) -> {
        Map<String, Item> copy = new TreeMap<>(BY_CHARACTERS);
        data.members().forEach((key, value) -> copy.put(key, items.item(value)));
        content = new Content.Own(copy);
        yield copy;
      }
    };
  }
}
