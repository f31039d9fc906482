package portcullis.config;

import java.util.List;
import java.util.Optional;

/**
 * Keys of heimdall 0.18 in places where configurations of 0.17 have others. Each is known by its name and by a key that
 * 0.17 has in the same place.
 */
final class LaterKeys {
  private record Later(String name, String beside, String instead) {}

  private static final List<Later> ALL = List.of(
      new Later("secret_management", "mechanisms",
          "write secrets and names of key files where they are used: `key_store`, `password`, `client_secret`"),
      new Later("master_key", "mechanisms", "remove it: it is for DPoP, which 0.17 does not have"),
      new Later("cover_rules", "enabled", "remove it: 0.17 has `enabled` only"),
      new Later("cover_cache", "enabled", "remove it: 0.17 has `enabled` only"),
      new Later("secret", "key_store", "write `key_store` and `key_id`"),
      new Later("secret", "value", "write `value`"),
      new Later("credentials", "user_id", "write `user_id` and `password`"),
      new Later("credentials", "user", "write `user` and `password`"),
      new Later("credentials", "client_id", "write `client_id` and `client_secret`"),
      new Later("source", "username", "write `username` and `password`, or `path`"),
      new Later("selector", "username", "write `username` and `password`, or `path`"),
      new Later("trust_anchors", "trust_store", "write `trust_store`"),
      new Later("principal", "subject", "write `subject`"),
      new Later("error_signaling", "allow_fallback_on_error", "use the error handler `www_authenticate`"));

  private LaterKeys() {}

  /**
   * Returns what 0.17 has in place of a key of 0.18.
   *
   * @param known the keys that 0.17 has in that place
   */
  static Optional<String> hint(String name, List<String> known) {
    return ALL.stream().filter(later -> later.name.equals(name) && known.contains(later.beside)).findFirst()
        .map(later -> "it is of heimdall 0.18: " + later.instead);
  }
}
