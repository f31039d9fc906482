package portcullis.serve.console;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.lang.markup.Html;
import portcullis.observe.decisions.SecretNames;
import portcullis.observe.telemetry.Log;
import portcullis.serve.explain.SecretMask;
import portcullis.serve.service.DryRun;

/** The page on which a request is tried: it is decided by the rules in use and explained. Thread safe. */
public final class TryPage implements ConsolePage {
  private static final int MOST_FIELDS = 100;
  private static final String REAL = "real";

  private final RequestTrial trial;
  private final Log log;

  public TryPage(RequestTrial trial, Log log) {
    this.trial = trial;
    this.log = log;
  }

  @Override
  public String name() {
    return "try";
  }

  @Override
  public String title() {
    return "Try a request";
  }

  @Override
  public boolean takesForms() {
    return true;
  }

  @Override
  public ConsoleContent render(ConsoleVisit visit) {
    if (!visit.rest().isEmpty()) {
      return ConsoleContent.missing("The console has no such page.");
    }
    if (!visit.submitted()) {
      return page(200, visit, visit.parameter("url").orElse(""), Html.NONE);
    }
    try {
      DryRun.Draft draft = draft(visit);
      Html result = tried(visit, draft);
      return page(200, visit, SecretMask.of(draft).masked(draft.url()), result);
    } catch (IllegalArgumentException e) {
      return page(400, visit, "", failed(String.valueOf(e.getMessage())));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return page(503, visit, "", failed("the service is shutting down"));
    }
  }

  private Html tried(ConsoleVisit visit, DryRun.Draft draft) throws InterruptedException {
    boolean isReal = visit.parameter("services").filter(REAL::equals).isPresent();
    Optional<List<StubAnswer>> answers = isReal ? Optional.empty()
        : Optional.of(StubAnswer.read(visit.parameter("answers").orElse("")));
    log.info("A request is tried in the console", "_subject", visit.subject(), "_remote_services",
        isReal ? "called" : "not called");
    return trial.of(draft, answers).map(ExplanationView::of)
        .orElseGet(() -> failed("Other requests are being tried: try again in a moment."));
  }

  private static Html failed(String why) {
    return Html.of("<p class=\"note bad\" role=\"alert\">{}</p>", why);
  }

  private static DryRun.Draft draft(ConsoleVisit visit) {
    String url = visit.parameter("url")
        .orElseThrow(
            () -> new IllegalArgumentException("give the URL of the request, as https://app.example/orders/42"));
    List<Field> fields = new ArrayList<>();
    for (String line : visit.parameter("headers").orElse("").lines().filter(text -> !text.isBlank()).toList()) {
      int colon = line.indexOf(':');
      String value = line.substring(colon + 1).strip();
      if (colon < 1 || !Grammar.isToken(line.substring(0, colon)) || !Grammar.isFieldValue(value)
          || fields.size() >= MOST_FIELDS) {
        throw new IllegalArgumentException("a header field is `Name: value`, and there are " + MOST_FIELDS
            + " at most: see line " + (fields.size() + 1));
      }
      fields.add(new Field(line.substring(0, colon), value));
    }
    String body = visit.parameter("body").orElse("");
    return new DryRun.Draft(visit.parameter("method").orElse("GET"), url, Fields.of(fields),
        InetAddress.ofLiteral(visit.parameter("client").orElse("127.0.0.1")), body.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the page with what was entered, except for values that are probably secret and the body. */
  private ConsoleContent page(int status, ConsoleVisit visit, String url, Html result) {
    boolean isReal = visit.parameter("services").filter(REAL::equals).isPresent();
    Html form = Html.of("""
        <h1>Try a request</h1>
        <p>It is decided by the rules in use, as <code>portcullis explain</code> does it.
        Nothing is sent to upstreams.</p>
        {}<form class="try" method="post" action="/console/try">
        <div class="pair"><label class="field">Method<input name="method" value="{}" maxlength="32" required
         spellcheck="false"></label>
        <label class="field">URL<input name="url" type="url" value="{}" placeholder="https://app.example/orders/42"
         maxlength="8192" required></label>
        <label class="field">Client address<input name="client" value="{}" maxlength="45" spellcheck="false"></label>
        </div>
        <label class="field">Header fields, one in a line; secrets are not shown again<textarea name="headers"
         rows="3" spellcheck="false"
         placeholder="Accept: text/html">{}</textarea></label>
        <label class="field">Body<textarea name="body" rows="2" spellcheck="false"></textarea></label>
        <fieldset><legend>Remote services</legend>
        <label class="choice"><input type="radio" name="services" value="stubs"{}> are not called; these answers are
        given</label>
        <label class="field">Answers, one in a line: step, status, body<textarea name="answers" rows="2"
         spellcheck="false" placeholder="{}">{}</textarea></label>
        <label class="choice"><input type="radio" name="services" value="real"{}> are called for real</label></fieldset>
        <p><button>Try it</button></p></form>
        """, result, visit.parameter("method").orElse("GET"), url, visit.parameter("client").orElse("127.0.0.1"),
        withoutSecrets(visit.parameter("headers").orElse("")), checked(!isReal), "session 200 {\"sub\": \"ann\"}",
        visit.parameter("answers").orElse(""), checked(isReal));
    return new ConsoleContent.Page(status, title(), form);
  }

  private static Html checked(boolean is) {
    return is ? Html.of(" checked") : Html.NONE;
  }

  private static String withoutSecrets(String headers) {
    return headers.lines().filter(line -> !SecretNames.has(line.replaceFirst(":.*", "")))
        .collect(Collectors.joining("\n"));
  }
}
