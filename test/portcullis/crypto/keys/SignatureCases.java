package portcullis.crypto.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * Keys, contents and signatures as lines of text, so that two processes can verify the same ones.
 *
 * <pre>
 * file = *( "key " JWK / id SP result SP content SP signature )      content, signature = hex / "-"
 * </pre>
 */
final class SignatureCases {
  private static final HexFormat HEX = HexFormat.of();

  /** @param outcome {@code true} or {@code false}: whether it verifies; {@code refused}: the key is not accepted */
  record Outcome(String id, String expected, String outcome) {}

  private SignatureCases() {}

  /** Prints the provider, then what becomes of each case of the files that are named. */
  public static void main(String[] files) throws Exception {
    CryptoProvider provider = CryptoProvider.await();
    System.out.println(provider.name());
    System.out.println(provider.obstacle().orElse("-"));
    for (String file : files) {
      for (Outcome one : outcomes(Path.of(file))) {
        System.out.println(line(one));
      }
    }
  }

  static String line(Outcome one) {
    return one.id + " " + one.outcome;
  }

  static String key(Value jwk) {
    return "key " + JsonText.plain(jwk);
  }

  static String signature(String id, byte[] content, byte[] signature) {
    return id + " unknown " + hex(content) + " " + hex(signature);
  }

  private static String hex(byte[] bytes) {
    return bytes.length == 0 ? "-" : HEX.formatHex(bytes);
  }

  private static byte[] bytes(String hex) {
    return hex.equals("-") ? new byte[0] : HEX.parseHex(hex);
  }

  static List<Outcome> outcomes(Path file) throws IOException, KeyMaterialException, ValueException {
    List<Outcome> out = new ArrayList<>();
    JwkSet keys = new JwkSet(List.of(), List.of());
    try (Stream<String> lines = Files.lines(file)) {
      for (String line : lines.toList()) {
        if (line.startsWith("key ")) {
          keys = JwkSet.read(Value.dict("keys", Value.of(Json.read(line.substring(4)))));
        } else {
          String[] words = line.split(" ");
          out.add(new Outcome(file.getFileName() + ":" + words[0], words[1], outcome(keys, words[2], words[3])));
        }
      }
    }
    return out;
  }

  private static String outcome(JwkSet keys, String content, String signature) {
    if (keys.keys().isEmpty()) {
      return "refused";
    }
    Jwk key = keys.keys().getFirst();
    Algorithm algorithm = key.algorithm().orElseThrow();
    return String.valueOf(algorithm.verify(key.key(), bytes(content), bytes(signature)));
  }
}
