package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** A map: of the request, with strings as keys, or made by the expression. */
sealed interface Entries extends Val {
  @Override
  default String type() {
    return "map";
  }

  int size();

  /** Returns the value of the key; a number also finds an equal whole number of another type. */
  Optional<Val> find(Val key);

  /** Returns the value of a key that is a string. */
  Optional<Val> find(String key);

  List<Val> keys();

  /** A map of the request, which is not copied. */
  record OfData(Value.Dict dict) implements Entries {
    @Override
    public int size() {
      return dict.members().size();
    }

    @Override
    public Optional<Val> find(Val key) {
      return key instanceof Text text ? find(text.value()) : Optional.empty();
    }

    @Override
    public Optional<Val> find(String key) {
      Value found = dict.members().get(key);
      return found == null ? Optional.empty() : Optional.of(Val.of(found));
    }

    @Override
    public List<Val> keys() {
      Collection<String> names = dict.members().keySet();
      List<Val> keys = new ArrayList<>(names.size());
      names.forEach(name -> keys.add(new Text(name)));
      return keys;
    }
  }

  /** A map created by the expression. */
  record Built(Map<Val, Val> values) implements Entries {
    @Override
    public int size() {
      return values.size();
    }

    @Override
    public Optional<Val> find(String key) {
      return Optional.ofNullable(values.get(new Text(key)));
    }

    @Override
    public Optional<Val> find(Val key) {
      Optional<Val> found = Optional.ofNullable(values.get(key));
      return found.isPresent() ? found : switch (key) {
        case Int i when i.value() >= 0 -> Optional.ofNullable(values.get(new Uint(i.value())));
        case Uint u when u.bits() >= 0 -> Optional.ofNullable(values.get(new Int(u.bits())));
        case Real r -> ofWhole(r.value());
        default -> Optional.empty();
      };
    }

    private Optional<Val> ofWhole(double key) {
      if (key == (long) key && Math.abs(key) < 0x1p63) {
        Optional<Val> found = Optional.ofNullable(values.get(new Int((long) key)));
        return found.or(() -> Optional.ofNullable(values.get(new Uint((long) key))).filter(_ -> key >= 0));
      }
      boolean beyond = key >= 0x1p63 && key < 0x1p64;
      return beyond ? Optional.ofNullable(values.get(new Uint((long) (key - 0x1p63) ^ Long.MIN_VALUE)))
          : Optional.empty();
    }

    @Override
    public List<Val> keys() {
      return List.copyOf(values.keySet());
    }
  }
}
