package portcullis.config;

import java.util.List;
import portcullis.lang.source.Origin;

/** The decoded members of one mapping. */
public final class DecodedMembers {
  private final Node.Mapping node;
  private final List<Key<?>> keys;
  private final Object[] values;
  private final boolean known;

  /** Thrown where a key is read whose value is invalid: the error is reported already, the caller cannot go on. */
  static final class Unread extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Unread() {
      super("a member could not be read", null, false, false);
    }
  }

  /**
   * @param values by the order of the keys; null for those that could not be read
   * @param known whether the mapping has no others
   */
  DecodedMembers(Node.Mapping node, List<Key<?>> keys, Object[] values, boolean known) {
    this.node = node;
    this.keys = keys;
    this.values = values;
    this.known = known;
  }

  /**
   * Returns the member's value, or its default if it was not written. If the value is invalid, which has been reported,
   * decoding of the mapping ends here: checks of some members run before other members are requested.
   */
  public <T> T get(Key<T> key) {
    Object value = value(key);
    if (value == null) {
      throw new Unread();
    }
    return typed(value);
  }

  /** Returns the value of a member, or the other value if it is invalid. */
  public <T> T or(Key<T> key, T otherwise) {
    Object value = value(key);
    return value == null ? otherwise : typed(value);
  }

  private Object value(Key<?> key) {
    for (int i = 0; i < values.length; i++) {
      if (keys.get(i).name().equals(key.name())) {
        return values[i];
      }
    }
    throw new IllegalArgumentException(key.name() + " is not a key of this mapping");
  }

  @SuppressWarnings("unchecked") // a key's value was made by that key's decoder
  private static <T> T typed(Object value) {
    return (T) value;
  }

  /**
   * Returns whether the member was written with a value, also by a name that is mistyped, or in a way that cannot be
   * read.
   */
  public boolean has(Key<?> key) {
    return node.get(key.name()).filter(value -> !MembersDecoder.isNull(value)).isPresent() || value(key) == null;
  }

  /** Returns whether the mapping has no members of unknown names. */
  public boolean known() {
    return known;
  }

  public Node.Mapping node() {
    return node;
  }

  /** Returns the path of a member. */
  public String path(Key<?> key) {
    return node.where().member(key.name()).toString();
  }

  /** Returns where the member's value stands, or the whole where it was not written. */
  public Origin at(Key<?> key) {
    return node.get(key.name()).map(Node::at).orElse(node.at());
  }
}
