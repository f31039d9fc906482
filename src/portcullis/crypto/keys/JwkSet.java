package portcullis.crypto.keys;

import java.util.ArrayList;
import java.util.List;
import portcullis.lang.value.Value;

/**
 * The keys of a JWK Set document that can verify (RFC 7517, 5); immutable.
 *
 * @param ignored why each of the others cannot, for logs: one odd key does not spoil the set
 */
public record JwkSet(List<Jwk> keys, List<String> ignored) {
  private static final int MOST_KEYS = 1000;

  public JwkSet {
    keys = List.copyOf(keys);
    ignored = List.copyOf(ignored);
  }

  /** @throws KeyMaterialException if it is not a JWK Set */
  public static JwkSet read(Value document) throws KeyMaterialException {
    if (!(document instanceof Value.Dict dict && dict.get("keys").orElse(Value.NULL) instanceof Value.Array array)) {
      throw new KeyMaterialException("no JWK set: expected an object with a list `keys`");
    }
    if (array.items().size() > MOST_KEYS) {
      throw new KeyMaterialException("no usable JWK set: more than " + MOST_KEYS + " keys");
    }
    List<Jwk> keys = new ArrayList<>();
    List<String> ignored = new ArrayList<>();
    for (int i = 0; i < array.items().size(); i++) {
      try {
        keys.add(jwk(array.items().get(i)));
      } catch (KeyMaterialException error) {
        ignored.add("keys[" + i + "]: " + error.getMessage());
      }
    }
    return new JwkSet(keys, ignored);
  }

  private static Jwk jwk(Value item) throws KeyMaterialException {
    if (item instanceof Value.Dict dict) {
      return JwkReader.read(dict);
    }
    throw new KeyMaterialException("it is not an object");
  }

  /** Returns all keys of that id; more than one means that the id is ambiguous. */
  public List<Jwk> withId(String keyId) {
    return keys.stream().filter(jwk -> jwk.keyId().filter(keyId::equals).isPresent()).toList();
  }
}
