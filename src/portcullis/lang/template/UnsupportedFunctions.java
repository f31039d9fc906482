package portcullis.lang.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lists sprig's functions that are not supported, with the reasons. */
final class UnsupportedFunctions {
  private static final Map<String, String> REASONS = reasons();

  private UnsupportedFunctions() {}

  static Optional<String> reason(String name) {
    return Optional.ofNullable(REASONS.get(name));
  }

  static Map<String, String> reasons() {
    Map<String, String> out = new HashMap<>();
    List.of("env", "expandenv").forEach(n -> out.put(n, "templates cannot read the environment"));
    out.put("getHostByName", "templates cannot use the network");
    List.of("genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert",
        "genSignedCertWithKey", "buildCustomCert").forEach(
            n -> out.put(n, "keys and certificates are not generated per request"));
    List.of("bcrypt", "htpasswd", "derivePassword").forEach(n -> out.put(n, "passwords are not hashed per request"));
    return Map.copyOf(out);
  }
}
