package portcullis.crypto.keys;

import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Node;

/** Decodes the names of algorithms that sign with a private key. */
public final class KeyPairAlgorithms {
  private static final String HINT = "name algorithms of key pairs, as `RS256` or `ES256`";

  private KeyPairAlgorithms() {}

  /** Returns the decoder of one name; shared secrets and unsigned tokens have messages of their own. */
  public static Decoder<Algorithm> decoder() {
    SequencedMap<String, Algorithm> names = new LinkedHashMap<>();
    for (Algorithm algorithm : Algorithm.values()) {
      if (!algorithm.isSymmetric()) {
        names.put(algorithm.text(), algorithm);
      }
    }
    Decoder<Algorithm> known = Decoders.choice(names);
    return Decoder.of(known.shape(), (node, problems) -> {
      Optional<String> refused = node instanceof Node.Scalar scalar ? refused(scalar.text()) : Optional.empty();
      refused.ifPresent(why -> problems.error(node.at(), node.path(), why, HINT));
      return refused.isPresent() ? Optional.empty() : known.decode(node, problems);
    });
  }

  private static Optional<String> refused(String name) {
    if (name.equalsIgnoreCase("none")) {
      return Optional.of("`none` is not an algorithm: unsigned tokens are never accepted");
    }
    for (Algorithm algorithm : Algorithm.values()) {
      if (algorithm.isSymmetric() && algorithm.text().equalsIgnoreCase(name)) {
        return Optional.of("`" + algorithm.text() + "` signs with a shared secret, which is never accepted here");
      }
    }
    return Optional.empty();
  }
}
