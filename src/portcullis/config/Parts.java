package portcullis.config;

import java.util.Map;
import portcullis.source.Origin;

/** The decoded members of one mapping. */
public final class Parts {
  private final Node.Mapping node;
  private final Map<Key<?>, Object> values;

  Parts(Node.Mapping node, Map<Key<?>, Object> values) {
    this.node = node;
    this.values = values;
  }

  /** The member's value, or what counts where it was not written. */
  @SuppressWarnings("unchecked") // a key's value was made by that key's decoder
  public <T> T get(Key<T> key) {
    return (T) values.get(key);
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
