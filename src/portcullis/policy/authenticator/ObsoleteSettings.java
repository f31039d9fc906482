package portcullis.policy.authenticator;

import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;

/** Settings of older versions that have no effect any more. */
final class ObsoleteSettings {
  private ObsoleteSettings() {}

  static Key<Optional<Boolean>> fallback() {
    Decoder<Boolean> warned = Decoders.flag().then((flag, node, problems) -> {
      problems.warning(node.at(), node.path(), "has no effect", "remove it: after every failure the next "
          + "authenticator is tried");
      return Optional.of(flag);
    });
    return Key.optional("allow_fallback_on_error", warned, "has no effect");
  }
}
