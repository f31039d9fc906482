package portcullis.verify;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.PlainValues;
import portcullis.http.message.Fields;
import portcullis.lang.source.Origin;
import portcullis.lang.value.Value;
import portcullis.policy.replay.Call;
import portcullis.policy.replay.CannedAnswer;

/**
 * An answer in place of a remote service's.
 *
 * @param step calls of the step with this id only; empty for all
 * @param url calls of this URL only, where {@code *} stands for any characters; empty for all
 * @param delay after which the answer would come; nothing waits for it, but limits on time apply
 * @param failure in place of an answer
 */
record Stub(Origin at, Optional<String> step, Optional<String> url, Optional<String> method, int status, Fields fields,
    byte[] body, Duration delay, Optional<Failure> failure) implements CannedAnswer {
  private static final Key<Optional<String>> STEP = Key.optional("step", Decoders.nonEmpty(), "id of the step");
  private static final Key<Optional<String>> URL = Key.optional("url", Decoders.nonEmpty(), "URL, `*` for any part");
  private static final Key<Optional<String>> METHOD = Key.optional("method", Decoders.nonEmpty(), "method of the call");
  private static final Key<Integer> STATUS = Key.withDefault("status", Decoders.number(100, 599), 200, "status");
  private static final Key<SequencedMap<String, Value>> HEADERS = Key.withDefault("headers",
      Decoders.map(PlainValues.decoder()), new LinkedHashMap<>(), "header fields");
  private static final Key<Optional<Value>> BODY = Key.optional("body", PlainValues.decoder(), "text, else JSON");
  private static final Key<Duration> DELAY = Key.withDefault("delay", Decoders.duration(), Duration.ZERO,
      "time until the answer");
  private static final Key<Optional<Failure>> FAILURE = Key.optional("fail", Decoders.choice(failures()),
      "how the call fails");

  static Decoder<Stub> decoder() {
    return Decoders.checked("a stub", List.of(STEP, URL, METHOD, STATUS, HEADERS, BODY, DELAY, FAILURE),
        (p, problems) -> {
          if (p.get(STEP).isEmpty() && p.get(URL).isEmpty()) {
            problems.error(p.node().at(), p.node().path(), "the stub does not say for which calls it is",
                "add `step: ID` or `url: URL`");
            return Optional.empty();
          }
          Optional<Value> body = p.get(BODY);
          return Optional.of(new Stub(p.node().at(), p.get(STEP), p.get(URL), p.get(METHOD), p.get(STATUS),
              TestRequest.fields(p.get(HEADERS), body), TestRequest.bytes(body), p.get(DELAY),
              p.get(FAILURE)));
        });
  }

  private static SequencedMap<String, Failure> failures() {
    SequencedMap<String, Failure> out = new LinkedHashMap<>();
    out.put("refused", Failure.REFUSED);
    out.put("reset", Failure.RESET);
    out.put("timeout", Failure.TIMEOUT);
    return out;
  }

  @Override
  public boolean fits(Call call) {
    return step.map(call.step()::equals).orElse(true) && method.map(call.method()::equals).orElse(true)
        && url.map(pattern -> matches(pattern, call.url())).orElse(true);
  }

  /** Returns whether a string is the pattern with something in place of each {@code *}. */
  static boolean matches(String pattern, String text) {
    String[] parts = pattern.split("\\*", -1);
    if (parts.length == 1) {
      return pattern.equals(text);
    }
    if (!text.startsWith(parts[0]) || !text.endsWith(parts[parts.length - 1])) {
      return false;
    }
    int from = parts[0].length();
    int end = text.length() - parts[parts.length - 1].length();
    for (int i = 1; i < parts.length - 1; i++) {
      int at = text.indexOf(parts[i], from);
      if (at < 0 || at + parts[i].length() > end) {
        return false;
      }
      from = at + parts[i].length();
    }
    return from <= end;
  }

  /** Returns what the call is named in messages. */
  String name() {
    return step.map(id -> "step `" + id + "`").orElse("") + (step.isPresent() && url.isPresent() ? ", " : "")
        + url.map(u -> "`" + u + "`").orElse("");
  }
}
