package portcullis.verify;

import java.security.PublicKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.observe.decisions.Checkpoint;

/** The public keys of an audit; without any, signatures are not checked. Immutable. */
final class AuditKeys {
  private final Map<String, PublicKey> keys = new LinkedHashMap<>();

  AuditKeys(List<PublicKey> keys) {
    keys.forEach(key -> this.keys.put(Checkpoint.id(key), key));
  }

  boolean areGiven() {
    return !keys.isEmpty();
  }

  boolean accept(Checkpoint checkpoint) {
    return keys.isEmpty() || problem(checkpoint).isEmpty();
  }

  /** Returns why the signature does not count; empty if it does. */
  Optional<String> problem(Checkpoint checkpoint) {
    if (keys.isEmpty()) {
      return Optional.empty();
    }
    if (!keys.containsKey(checkpoint.key())) {
      return Optional.of("it is signed by key " + checkpoint.key() + ", which is none of those given");
    }
    return checkpoint.isSignedBy(keys.get(checkpoint.key())) ? Optional.empty()
        : Optional.of("the signature of key " + checkpoint.key() + " is invalid");
  }
}
