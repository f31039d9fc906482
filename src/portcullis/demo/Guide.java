package portcullis.demo;

import java.util.List;

/**
 * What to try, as shown on the home page and in the terminal. Immutable.
 *
 * @param config the name of the configuration file in use
 * @param rules the name of the rule file in use
 */
public record Guide(Addresses addresses, String config, String rules) {
  /** A command for a terminal and its purpose. */
  public record Line(String about, String command) {}

  /** Returns the first page to open. */
  public String start() {
    return addresses.proxyUrl() + "/";
  }

  /** Returns commands of an anonymous client, of one whose token allows access, and of one whose token does not. */
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
