package portcullis.crypto.keys;

import java.util.Map;

/**
 * One entry of a PEM file.
 *
 * @param entry its number, counted from 1
 * @param line the line of its {@code -----BEGIN}, counted from 1
 * @param headers the lines {@code Name: value} between the begin line and the first blank one
 */
record PemBlock(int entry, int line, String label, Map<String, String> headers, byte[] der) {
  PemBlock {
    headers = Map.copyOf(headers);
  }

  /** Returns its position, for messages. */
  String place() {
    return place(entry, line, label);
  }

  static String place(int entry, int line, String label) {
    return "entry " + entry + " (line " + line + ", `" + label + "`)";
  }
}
