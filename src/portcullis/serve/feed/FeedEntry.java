package portcullis.serve.feed;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.Value;

/**
 * How a request was decided, without query, header fields and body; what clients choose is shortened. Immutable.
 *
 * @param number increases from entry to entry; 0 until it is in the feed
 * @param answer the status of the response, or its gRPC code
 * @param host as the client names it
 * @param client its address
 * @param subject empty if it is not known
 * @param rule empty if there is none
 * @param ruleSet its source
 * @param at where the rule is written; empty if that is not known
 * @param step the id of the step that failed; empty if none did
 * @param error the kind of the error; empty for none
 * @param reason what the log has as the reason; empty for none
 * @param requestId the id that all its log lines have
 * @param trace its trace id; empty if it is not traced
 */
public record FeedEntry(long number, Instant time, boolean allowed, String answer, String method, String host,
    String path, String client, String subject, String rule, String ruleSet, String at, String step, String error,
    String reason, String requestId, String trace, long nanos, List<DecidedStep> steps) {
  static final int LONGEST_REASON = 1000;
  private static final int LONGEST_PATH = 500;
  private static final int LONGEST_NAME = 200;
  private static final int MOST_STEPS = 50;

  public FeedEntry {
    method = shortened(method, LONGEST_NAME);
    host = shortened(host, LONGEST_NAME);
    path = shortened(path, LONGEST_PATH);
    subject = shortened(subject, LONGEST_NAME);
    reason = shortened(reason, LONGEST_REASON);
    requestId = shortened(requestId, LONGEST_NAME);
    steps = List.copyOf(steps.size() > MOST_STEPS ? steps.subList(0, MOST_STEPS) : steps);
  }

  /** Returns a copy with this number. */
  FeedEntry numbered(long place) {
    return new FeedEntry(place, time, allowed, answer, method, host, path, client, subject, rule, ruleSet, at, step,
        error, reason, requestId, trace, nanos, steps);
  }

  /** Returns the entry as JSON, without its steps. */
  public Value.Dict document() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("number", Value.of(number));
    out.put("time", Value.of(time.toString()));
    out.put("decision", Value.of(allowed ? "allowed" : "denied"));
    out.put("answer", Value.of(answer));
    out.put("method", Value.of(method));
    out.put("host", Value.of(host));
    out.put("path", Value.of(path));
    out.put("client", Value.of(client));
    put(out, "subject", subject);
    put(out, "rule", rule);
    put(out, "rule_set", ruleSet);
    put(out, "step", step);
    put(out, "error", error);
    put(out, "reason", reason);
    put(out, "request_id", requestId);
    out.put("ms", Value.of(nanos / 1_000 / 1e3));
    return new Value.Dict(out);
  }

  private static void put(Map<String, Value> out, String name, String value) {
    if (!value.isEmpty()) {
      out.put(name, Value.of(value));
    }
  }

  static String shortened(String text, int length) {
    return text.length() <= length ? text : text.substring(0, length - 1) + "…";
  }
}
