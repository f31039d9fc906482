package portcullis.demo;

import java.util.List;

/**
 * What there is to try; the home page and the terminal tell the same. Immutable.
 *
 * @param rules the name of the file whose rules count
 */
public record Guide(Addresses addresses, String rules) {
  /** A line for a terminal, and what comes of it. */
  public record Line(String about, String command) {}

  /** The first page to open. */
  public String start() {
    return addresses.proxyUrl() + "/";
  }

  /** Everybody; somebody with a token who may; somebody with a token who may not. */
  public List<Line> lines() {
    String first = addresses.proxyUrl() + Arrived.API + "/1";
    return List.of(new Line("Everybody may see the home page", "curl " + start()),
        new Line("Ann may view document 1", "curl -H \"Authorization: Bearer " + token("ann") + "\" " + first),
        new Line("Bob may not: 403", "curl -H \"Authorization: Bearer " + token("bob") + "\" " + first));
  }

  private String token(String person) {
    return "$(curl -s -d user=" + person + " " + addresses.proxyUrl() + "/token)";
  }
}
