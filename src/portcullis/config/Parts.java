package portcullis.config;

import java.util.List;
import portcullis.source.Origin;

/** The decoded members of one mapping. */
public final class Parts {
  private final Node.Mapping node;
  private final List<Key<?>> keys;
  private final Object[] values;

  /** @param values by the order of the keys */
  Parts(Node.Mapping node, List<Key<?>> keys, Object[] values) {
    this.node = node;
    this.keys = keys;
    this.values = values;
  }

  /** The member's value, or what counts where it was not written. */
  @SuppressWarnings("unchecked") // a key's value was made by that key's decoder
  public <T> T get(Key<T> key) {
    for (int i = 0; i < values.length; i++) {
      if (keys.get(i) == key) {
        return (T) values[i];
      }
    }
    throw new IllegalArgumentException(key.name() + " is no key of this mapping");
  }

  public boolean has(Key<?> key) {
    return node.members().containsKey(key.name());
  }

  public Node.Mapping node() {
    return node;
  }

  /** Where the member's value stands, or the whole where it was not written. */
  public Origin at(Key<?> key) {
    return node.get(key.name()).map(Node::at).orElse(node.at());
  }
}
