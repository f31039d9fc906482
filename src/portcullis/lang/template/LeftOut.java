package portcullis.lang.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The functions of sprig that templates here do not have, and why. */
final class LeftOut {
  private static final Map<String, String> REASONS = reasons();

  private LeftOut() {}

  static Optional<String> reason(String name) {
    return Optional.ofNullable(REASONS.get(name));
  }

  private static Map<String, String> reasons() {
    Map<String, String> out = new HashMap<>();
    List.of("env", "expandenv").forEach(n -> out.put(n, "templates do not see the environment"));
    out.put("getHostByName", "templates do not ask the network");
    List.of("genPrivateKey", "genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert",
        "genSignedCertWithKey", "buildCustomCert").forEach(
            n -> out.put(n, "keys and certificates are not made per "
                + "request"));
    List.of("bcrypt", "htpasswd", "derivePassword").forEach(n -> out.put(n, "passwords are not made per request"));
    return Map.copyOf(out);
  }
}
