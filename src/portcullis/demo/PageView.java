package portcullis.demo;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Shows a request that reached the upstream as a page. */
final class PageView {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'")
      .withZone(ZoneOffset.UTC);
  /** The last second of the year 9999. */
  private static final long LAST_SECOND = 253_402_300_799L;
  private static final List<String> TIMES = List.of("exp", "iat", "nbf");

  private static final String SUBJECT = """
      <section class="card subject">
      <h2>Who is asking</h2>
      <p class="big">{}</p>
      <p>{}</p>
      </section>
      """;

  private static final String TOKEN = """
      <section class="card">
      <h2>The token</h2>
      <p>{}</p>
      <h3>Claims</h3>
      <dl>{}</dl>
      <h3>Header</h3>
      <dl>{}</dl>
      </section>
      """;

  private static final String GENUINE = """
      The proxy made it for this request. <strong class="good">Its signature is good</strong>: checked with the \
      proxy’s public
      key.
      """;

  private static final String FOREIGN = """
      It came from the client, and <strong class="bad">the proxy has not signed it</strong>: nothing in it is trusted.
      """;

  private static final String HEADERS = """
      <section class="card">
      <h2>Header fields that reached this page</h2>
      <dl class="fields">{}</dl>
      <p class="note"><span class="tag">proxy</span> marks what the proxy has written, whatever the client sent under \
      that
      name.</p>
      </section>
      """;

  private static final String ROW = "<div><dt>{}</dt><dd>{}</dd></div>\n";

  private final Arrived arrived;
  private final Guide guide;
  private final Insight insight;

  PageView(Arrived arrived, Guide guide, Insight insight) {
    this.insight = insight;
    this.arrived = arrived;
    this.guide = guide;
  }

  Response answer() {
    String path = arrived.visit().path();
    Story story = Story.of(path);
    Html head = path.equals("/") ? new HomeView(guide).html() : Html.of("""
        <p class="kicker">{} {}</p>
        <h1>{}</h1>
        <p class="lead">{}</p>
        """, arrived.visit().method(), path, story.title(), story.text());
    Html main = Html.join(List.of(head, insight.decision(arrived.visit()), subject(), token(), headers()));
    return Layout.page(200, insight.banner(), path, story.title(), arrived.name(), main, Html.of("""
        <p>This page comes from the upstream, <code>{}</code>, by way of the proxy. Its rules are in <code>{}</code>:
        change them, save, and reload this page.</p>
        """, Addresses.authority(guide.addresses().upstream()), guide.rules()));
  }

  private Html subject() {
    Optional<String> id = arrived.subject();
    if (id.isEmpty()) {
      return Html.of(SUBJECT, "unknown", "No token of the proxy came along: the rule of this page has a noop "
          + "finalizer, which adds nothing.");
    }
    Optional<String> name = arrived.name().filter(known -> !known.equals(id.get()));
    return Html.of(SUBJECT, id.get(),
        name.map(known -> known + ", so says the proxy’s token.").orElse("So says the proxy’s token."));
  }

  private Html token() {
    return arrived.token()
        .map(token -> Html.of(TOKEN, Html.of(token.genuine() ? GENUINE : FOREIGN), rows(token.claims()),
            rows(token.header())))
        .orElse(Html.NONE);
  }

  private static Html rows(Value.Dict members) {
    return Html.join(members.members().entrySet().stream()
        .map(member -> Html.of(ROW, member.getKey(), value(member.getKey(), member.getValue()))).toList());
  }

  private static Html value(String name, Value value) {
    return switch (value) {
      case Value.Str(String text) -> Html.of("{}", text);
      case Value.Int(long seconds, _) when TIMES.contains(name) && seconds >= 0 && seconds <= LAST_SECOND ->
        Html.of("{} <span class=\"note\">{}</span>", seconds, TIME.format(Instant.ofEpochSecond(seconds)));
      case Value.Array(List<Value> items) when !items.isEmpty() ->
        Html.join(items.stream().map(item -> Html.of("<span class=\"chip\">{}</span> ", value("", item))).toList());
      case Value.Array _ -> Html.of("<span class=\"note\">none</span>");
      case Value other -> Html.of("{}", JsonText.plain(other));
    };
  }

  private Html headers() {
    Comparator<Map.Entry<String, String>> proxyFirst = Comparator
        .comparing(field -> !arrived.isOfTheProxy(field.getKey()));
    return Html.of(HEADERS,
        Html.join(arrived.headers().entrySet().stream().sorted(proxyFirst).map(this::field).toList()));
  }

  private Html field(Map.Entry<String, String> field) {
    Html tag = arrived.isOfTheProxy(field.getKey()) ? Html.of(" <span class=\"tag\">proxy</span>") : Html.NONE;
    return Html.of(ROW, Html.of("{}{}", field.getKey(), tag), field.getValue());
  }
}
