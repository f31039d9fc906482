package portcullis.crypto.keys;

import java.util.List;

/** The lowest version of TLS that a listener speaks. */
public enum TlsVersion {
  TLS1_2("TLS1.2", "TLSv1.3", "TLSv1.2"),
  TLS1_3("TLS1.3", "TLSv1.3");

  private final String text;
  private final List<String> protocols;

  TlsVersion(String text, String... protocols) {
    this.text = text;
    this.protocols = List.of(protocols);
  }

  /** Returns the name in configurations. */
  public String text() {
    return text;
  }

  /** Returns this version and the newer ones, by the names of the JDK. */
  List<String> protocols() {
    return protocols;
  }
}
