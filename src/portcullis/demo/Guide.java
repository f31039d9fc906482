package portcullis.demo;

import java.util.List;

/**
 * What to try, as shown on the home page and in the terminal. Immutable.
 *
 * @param config the name of the configuration file in use
 * @param rules the name of the rule file in use
 * @param apiKey of a program, for this run
 */
public record Guide(Addresses addresses, String config, String rules, String apiKey) {
  static final String USER = "watchman";
  static final String PASSWORD = "portcullis";
  static final String STOCK = "/stock";

  /** A command for a terminal and its purpose. */
  public record Line(String about, String command) {}

  /** Returns the first page to open. */
  public String start() {
    return addresses.proxyUrl() + "/";
  }

  /** Returns commands of clients that are allowed and denied. */
  public List<Line> lines() {
    String first = addresses.proxyUrl() + Arrived.API + "/1";
    String stock = "-H \"X-Api-Key: " + apiKey + "\" " + addresses.proxyUrl() + STOCK;
    return List.of(new Line("Everybody may see the home page", "curl " + start()),
        new Line("Ann may view document 1", "curl -H \"Authorization: Bearer " + token("ann") + "\" " + first),
        new Line("Bob may not: 403", "curl -H \"Authorization: Bearer " + token("bob") + "\" " + first),
        new Line("A program with an API key may see the stock", "curl " + stock),
        new Line("But not too often: 429 after six requests a minute",
            "for i in 1 2 3 4 5 6 7; do curl -s -o /dev/null -w '%{http_code}\\n' " + stock + "; done"));
  }

  /** Without the key. */
  @Override
  public String toString() {
    return start();
  }

  private String token(String person) {
    return "$(curl -s -d user=" + person + " " + addresses.proxyUrl() + "/token)";
  }
}
