package portcullis.policy.endpoint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import portcullis.fixture.StubService;

/** Checks the signature of a request as it arrived, by RFC 9421, 3.2, sharing nothing with who signed it. */
record SignatureCheck(StubService.ReceivedRequest receivedCalls, String label) {
  private static final Pattern COMPONENT = Pattern.compile("\"([^\"]+)\"((?:;[a-z]+(?:=\"[^\"]*\")?)*)");

  /** What stands behind the label. */
  String input() {
    String all = receivedCalls.field("Signature-Input");
    if (!all.startsWith(label + "=(")) {
      throw new AssertionError(all);
    }
    return all.substring(label.length() + 1);
  }

  /** The value of a parameter, without quotes. */
  String parameter(String name) {
    Matcher found = Pattern.compile(";" + name + "=(\"([^\"]*)\"|[0-9]+)")
        .matcher(input().substring(input().lastIndexOf(')')));
    if (!found.find()) {
      return "";
    }
    return found.group(1).replace("\"", "");
  }

  boolean holds(PublicKey key) throws GeneralSecurityException {
    Signature signature = algorithm();
    signature.initVerify(key);
    signature.update(base().getBytes(ISO_8859_1));
    String text = receivedCalls.field("Signature");
    return signature.verify(Base64.getDecoder().decode(text.substring(label.length() + 2, text.length() - 1)));
  }

  private Signature algorithm() throws GeneralSecurityException {
    return switch (parameter("alg")) {
      case "ecdsa-p256-sha256" -> Signature.getInstance("SHA256withECDSAinP1363Format");
      case "ecdsa-p384-sha384" -> Signature.getInstance("SHA384withECDSAinP1363Format");
      case "ecdsa-p521-sha512" -> Signature.getInstance("SHA512withECDSAinP1363Format");
      case "ed25519" -> Signature.getInstance("Ed25519");
      case "rsa-pss-sha256" -> pss("SHA-256", 32);
      case "rsa-pss-sha384" -> pss("SHA-384", 48);
      case "rsa-pss-sha512" -> pss("SHA-512", 64);
      default -> throw new AssertionError(parameter("alg"));
    };
  }

  private static Signature pss(String hash, int salt) throws GeneralSecurityException {
    Signature out = Signature.getInstance("RSASSA-PSS");
    out.setParameter(new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(hash), salt, 1));
    return out;
  }

  private String base() {
    List<String> lines = new ArrayList<>();
    String list = input().substring(1, input().indexOf(')'));
    for (Matcher next = COMPONENT.matcher(list); next.find();) {
      lines.add(next.group() + ": " + value(next.group(1), next.group(2)));
    }
    lines.add("\"@signature-params\": " + input());
    return String.join("\n", lines);
  }

  private String value(String name, String parameters) {
    String[] target = receivedCalls.target().split("\\?", 2);
    return switch (name) {
      case "@method" -> receivedCalls.method();
      case "@path" -> target[0];
      case "@query" -> "?" + (target.length > 1 ? target[1] : "");
      case "@request-target" -> receivedCalls.target();
      case "@authority" -> receivedCalls.field("Host");
      case "@scheme" -> "http";
      case "@target-uri" -> "http://" + receivedCalls.field("Host") + receivedCalls.target();
      case "@query-param" -> parameter(target[1], parameters);
      default -> parameters.equals(";bs") ? receivedCalls.fields().all(name).stream()
          .map(v -> ":" + Base64.getEncoder().encodeToString(v.getBytes(ISO_8859_1)) + ":")
          .collect(Collectors.joining(", "))
          : String.join(", ", receivedCalls.fields().all(name));
    };
  }

  private static String parameter(String query, String parameters) {
    String name = parameters.replaceAll("^;name=\"|\"$", "");
    for (String pair : query.split("&")) {
      if (pair.startsWith(name + "=")) {
        return pair.substring(name.length() + 1).replace("+", "%20");
      }
    }
    throw new AssertionError(name);
  }
}
