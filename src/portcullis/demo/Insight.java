package portcullis.demo;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import portcullis.lang.markup.Html;

/** What the pages show of the proxy: its decisions, and errors of its rules. Thread safe. */
public final class Insight {
  private static final String DECISION = """
      <section class="card">
      <h2>{}</h2>
      <pre class="decision">{}</pre>
      <p class="note">{} <code>portcullis explain</code> shows the same for any request.</p>
      </section>
      """;
  private static final String BANNER = """
      <div class="banner" role="alert"><div class="wide"><strong>The rules have an error. The last good ones stay in \
      force.</strong>
      <pre>{}</pre></div></div>
      """;

  private final Decisions decisions = new Decisions();
  private final AtomicReference<Supplier<List<String>>> errors = new AtomicReference<>(List::of);

  /** Returns the decisions that are shown. */
  public Decisions decisions() {
    return decisions;
  }

  /** Sets where the errors of the rules come from, which pages show as they are at the time. */
  public void errorsFrom(Supplier<List<String>> source) {
    errors.set(source);
  }

  /** Returns the current errors of the rules. */
  List<String> errors() {
    return errors.get().get();
  }

  /** Returns the banner of all pages. */
  Html banner() {
    List<String> current = errors();
    return current.isEmpty() ? Html.NONE : Html.of(BANNER, String.join("\n", current));
  }

  /** Returns how the request for this page was decided. */
  Html decision(Visit visit) {
    return section(decisions.of(visit), "How Portcullis decided", "This is the decision on the request that you see: "
        + "its rule, the steps with their time, and the result.");
  }

  /** Returns how the request was decided that led to this page instead of the one at the target. */
  Html refusal(String target) {
    return section(decisions.refused(target), "Why it was refused", "This is the decision on the request that brought "
        + "you here.");
  }

  private static Html section(Optional<Decisions.Decided> decided, String title, String note) {
    return decided.map(one -> Html.of(DECISION, title, String.join("\n", one.lines()), note)).orElse(Html.NONE);
  }
}
