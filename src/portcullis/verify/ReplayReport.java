package portcullis.verify;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Writes the result of a replay. */
public final class ReplayReport {
  private ReplayReport() {}

  public static String text(Replay.Outcome outcome) {
    StringBuilder out = new StringBuilder();
    if (outcome.unkeyed() > 0) {
      out.append(outcome.unkeyed() == 1 ? "1 undecided request is" : outcome.unkeyed() + " undecided requests are")
          .append(" sealed: name the file of `decision_log.seal_key` by `--key`\n\n");
    }
    for (Replay.Changed change : outcome.changes()) {
      out.append(change.change().text()).append(": ").append(requests(change.count())).append('\n');
      out.append("  before   ").append(place(change.before())).append('\n');
      out.append(change.change() == Replay.Change.UNDECIDED ? "  reason   " : "  now      ")
          .append(place(change.now())).append('\n');
      out.append("  witness  ").append(TerminalText.of(change.witness())).append(", ")
          .append(DecisionText.time(change.time())).append(", ").append(TerminalText.of(change.place())).append("\n\n");
    }
    if (outcome.lost() > 0) {
      out.append(requests(outcome.lost())).append(" were lost and are not in the log\n");
    }
    if (outcome.unreadable() > 0) {
      out.append(outcome.unreadable()).append(outcome.unreadable() == 1 ? " line is" : " lines are")
          .append(" not a decision: ").append(TerminalText.of(String.join(", ", outcome.unreadablePlaces())))
          .append(outcome.unreadable() > outcome.unreadablePlaces().size() ? ", …\n" : "\n");
    }
    if (outcome.damaged()) {
      out.append("lines of the log are missing or changed: `portcullis audit verify` says which\n");
    }
    if (outcome.unopened() > 0) {
      out.append(requests(outcome.unopened())).append(outcome.unopened() == 1 ? " is" : " are")
          .append(" sealed and could not be opened by this key, or damaged\n");
    }
    if (outcome.named() > 0) {
      out.append("what was sealed is not known of ").append(requests(outcome.named()))
          .append(": changes of variables, of files that authenticators name, and of `serve.trusted_proxies` do not "
              + "count\n");
    }
    if (!outcome.samples().isEmpty()) {
      out.append("allowed requests are a sample: ").append(String.join(", ", outcome.samples())).append(" of all\n");
    }
    out.append(requests(outcome.decisions())).append(": ");
    for (Replay.Change change : Replay.Change.values()) {
      out.append(outcome.count(change)).append(' ').append(change.text()).append(", ");
    }
    return out.append(outcome.unchanged()).append(" unchanged").toString();
  }

  /** Returns what the log says, which clients and other programs have written, for a terminal. */
  private static String place(String text) {
    return TerminalText.of(DecisionText.places(text));
  }

  private static String requests(long count) {
    return count == 1 ? "1 request" : count + " requests";
  }

  public static String json(Replay.Outcome outcome) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("requests", Value.of(outcome.decisions()));
    out.put("unchanged", Value.of(outcome.unchanged()));
    out.put("lost", Value.of(outcome.lost()));
    out.put("unreadable_lines", Value.of(outcome.unreadable()));
    out.put("unreadable_at", Value.Array.ofStrings(outcome.unreadablePlaces()));
    out.put("damaged", Value.of(outcome.damaged()));
    out.put("undecided_without_key", Value.of(outcome.unkeyed()));
    out.put("unopened", Value.of(outcome.unopened()));
    out.put("not_sealed", Value.of(outcome.named()));
    out.put("samples", Value.Array.ofStrings(outcome.samples()));
    for (Replay.Change change : Replay.Change.values()) {
      out.put(name(change), Value.of(outcome.count(change)));
    }
    out.put("changes", new Value.Array(outcome.changes().stream().map(ReplayReport::change).toList()));
    return TerminalText.escaped(JsonText.plain(new Value.Dict(out)), "");
  }

  private static String name(Replay.Change change) {
    return change.name().toLowerCase(Locale.ROOT);
  }

  private static Value change(Replay.Changed change) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("change", Value.of(name(change.change())));
    out.put("count", Value.of(change.count()));
    out.put("before", Value.of(change.before()));
    out.put(change.change() == Replay.Change.UNDECIDED ? "reason" : "now", Value.of(change.now()));
    out.put("witness", Value.of(change.witness()));
    out.put("time", Value.of(change.time()));
    out.put("place", Value.of(change.place()));
    return new Value.Dict(out);
  }
}
