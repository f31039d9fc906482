package portcullis.crypto.keys;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads the entries of a PEM text (RFC 7468, with the headers of RFC 1421 that carry key ids). Text between entries is
 * ignored, inside one nothing is.
 *
 * <pre>
 * file  = *( text / entry )
 * entry = "-----BEGIN " label "-----" [ 1*( name ":" value ) blank ] 1*base64 "-----END " label "-----"
 * </pre>
 */
final class PemReader {
  private static final int MOST_ENTRIES = 2000;
  private static final String RULE = "-----";
  private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9][A-Z0-9 ]{0,40})-----");
  private static final Pattern BASE64_LINE = Pattern.compile("[A-Za-z0-9+/]*={0,2}");

  private final List<String> lines;
  private final List<PemBlock> blocks = new ArrayList<>();
  private int read;

  private PemReader(String text) {
    lines = text.lines().map(String::strip).toList();
  }

  static List<PemBlock> blocks(String text) throws KeyMaterialException {
    PemReader reader = new PemReader(text);
    reader.readAll();
    return reader.blocks;
  }

  private void readAll() throws KeyMaterialException {
    while (read < lines.size()) {
      String line = lines.get(read++);
      if (line.startsWith(RULE)) {
        var begin = BEGIN.matcher(line);
        if (!begin.matches()) {
          throw new KeyMaterialException("line " + read + ": expected `-----BEGIN` with a label in capitals");
        }
        if (blocks.size() == MOST_ENTRIES) {
          throw new KeyMaterialException("line " + read + ": more than " + MOST_ENTRIES + " entries");
        }
        blocks.add(block(begin.group(1)));
      }
    }
  }

  private PemBlock block(String label) throws KeyMaterialException {
    int entry = blocks.size() + 1;
    int line = read;
    try {
      return new PemBlock(entry, line, label, headers(), body(label));
    } catch (KeyMaterialException error) {
      throw error.in(PemBlock.place(entry, line, label));
    }
  }

  /** Where the first line has no colon there are no headers: base64 has none. */
  private Map<String, String> headers() {
    Map<String, String> headers = new HashMap<>();
    for (int colon; read < lines.size() && (colon = lines.get(read).indexOf(':')) > 0; read++) {
      String line = lines.get(read);
      headers.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
    }
    return headers;
  }

  private byte[] body(String label) throws KeyMaterialException {
    String end = "-----END " + label + RULE;
    StringBuilder base64 = new StringBuilder();
    while (true) {
      if (read == lines.size()) {
        throw new KeyMaterialException("its end is missing, expected `" + end + "`");
      }
      String line = lines.get(read++);
      if (line.equals(end)) {
        return decoded(base64.toString());
      }
      if (line.startsWith(RULE)) {
        throw new KeyMaterialException("line " + read + ": expected `" + end + "`");
      }
      if (!BASE64_LINE.matcher(line).matches()) {
        throw new KeyMaterialException("line " + read + ": not base64");
      }
      base64.append(line);
    }
  }

  private static byte[] decoded(String base64) throws KeyMaterialException {
    if (base64.isEmpty()) {
      throw new KeyMaterialException("it is empty");
    }
    try {
      if (base64.length() % 4 == 0) {
        return Base64.getDecoder().decode(base64);
      }
    } catch (IllegalArgumentException _) {
      // as below
    }
    throw new KeyMaterialException("its base64 is cut or wrongly padded");
  }
}
