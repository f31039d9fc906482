package portcullis.verify;

import java.util.ArrayList;
import java.util.List;
import portcullis.serve.service.DryRun;

/**
 * A request that an analysis tries.
 *
 * @param options as {@code curl} has them: {@code -H}, {@code -d}
 */
record Probe(String method, String url, List<String> options) {
  private static final List<String> READING = List.of("GET", "HEAD", "OPTIONS", "TRACE");

  static Probe of(String method, String url) {
    return new Probe(method, url, List.of());
  }

  /** Returns the same request with a JSON object as its body. */
  Probe withJson(String body) {
    return new Probe(method, url, List.of("-H", "Content-Type: application/json", "-d", body));
  }

  /** Returns the same request with another option. */
  Probe with(String option, String value) {
    List<String> more = new ArrayList<>(options);
    more.addAll(List.of(option, value));
    return new Probe(method, url, more);
  }

  /** Returns the same request for another URL. */
  Probe withUrl(String other) {
    return new Probe(method, other, options);
  }

  boolean writes() {
    return !READING.contains(method);
  }

  DryRun.Draft draft() {
    List<String> words = new ArrayList<>(List.of("-X", method, url));
    words.addAll(options);
    return TestRequest.curl(words);
  }

  /** Returns the request as it can be repeated: {@code POST https://app.example/x -d '{}'}. */
  String text() {
    StringBuilder out = new StringBuilder(method).append(' ').append(url);
    for (String option : options) {
      out.append(' ').append(option.startsWith("-") ? option : "'" + option.replace("'", "'\\''") + "'");
    }
    return out.toString();
  }
}
