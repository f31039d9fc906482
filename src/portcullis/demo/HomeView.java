package portcullis.demo;

import java.util.List;
import portcullis.lang.markup.Html;

/** The home page. */
record HomeView(Guide guide) {
  private static final String PAGE = """
      <h1>A gate, and what is behind it</h1>
      <p class="lead">You are looking at an ordinary web service. Between you and it stands Portcullis, which decides \
      for each
      request whether it may pass, and sends the service the identity of the user.</p>
      <section>
      <h2>Walk through</h2>
      <ul class="tour">
      {}</ul>
      </section>
      <section>
      <h2>In a terminal</h2>
      {}
      </section>
      <section>
      <h2>Change the rules</h2>
      <p>They are in <code>{}</code>, and use what is defined in <code>{}</code>. The rules are watched: what you save \
      is applied within a second, a file that became shorter after three seconds, as it may be half written. If \
      there is an error, the last good rules stay in force, and a banner on all pages \
      says where it is, as the terminal does.</p>
      </section>
      """;

  private static final String STOP = "<li><a href=\"{}\">{}</a><p>{}</p></li>\n";

  /** A page of the tour. */
  private record Stop(String path, String title, String text) {}

  private static final List<Stop> TOUR = List.of(
      new Stop("/me", "My page", "For everybody who is signed in. If you are not, the proxy sends you to the identity "
          + "provider, and you come back from there."),
      new Stop("/admin", "Admin", "For the group admin: Ann is in it; Bob and Cleo are not, and end on the error "
          + "page."),
      new Stop("/report", "Report", "Behind a user name and a password: " + Guide.USER + ", " + Guide.PASSWORD
          + ". After five wrong ones it is locked for a minute."),
      new Stop(Guide.STOCK, "Stock", "For programs with an API key, six times a minute; in a browser the key, which "
          + "the commands below have, is the password of any user."),
      new Stop("/nowhere", "Nowhere", "A path that no rule knows: the default rule allows no one in."));

  Html html() {
    Html stops = Html.join(TOUR.stream().map(stop -> Html.of(STOP, stop.path, stop.title, stop.text)).toList());
    Html lines = Html.join(guide.lines().stream()
        .map(line -> Html.of("<figure><figcaption>{}</figcaption><pre>{}</pre></figure>\n", line.about(),
            line.command()))
        .toList());
    return Html.of(PAGE, stops, lines, guide.rules(), guide.config());
  }
}
