package portcullis.serve.console;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.http.message.Fields;
import portcullis.policy.replay.Call;
import portcullis.policy.replay.CannedAnswer;

/**
 * A response in place of a remote service's, for the calls of a step.
 *
 * @param step its id, or {@code *} for all
 */
public record StubAnswer(String step, int status, String text) implements CannedAnswer {
  private static final int MOST = 50;
  private static final Pattern LINE = Pattern.compile("(\\S+)\\s+([1-5][0-9]{2})(?:\\s+(.*))?");

  /**
   * Reads a line for each: the id of a step, a status, and perhaps a body.
   *
   * @throws IllegalArgumentException with the line that is wrong
   */
  static List<StubAnswer> read(String lines) {
    List<StubAnswer> out = new ArrayList<>();
    for (String line : lines.lines().map(String::strip).filter(text -> !text.isEmpty()).toList()) {
      Matcher parts = LINE.matcher(line);
      if (!parts.matches() || out.size() >= MOST) {
        throw new IllegalArgumentException(out.size() >= MOST ? "there are more than " + MOST + " answers"
            : "an answer is the id of a step, a status and perhaps a body, as `session 200 {\"sub\": \"ann\"}`");
      }
      out.add(new StubAnswer(parts.group(1), Integer.parseInt(parts.group(2)),
          parts.group(3) == null ? "" : parts.group(3)));
    }
    return List.copyOf(out);
  }

  @Override
  public boolean fits(Call call) {
    return step.equals("*") || step.equals(call.step());
  }

  @Override
  public Fields fields() {
    boolean isJson = text.startsWith("{") || text.startsWith("[") || text.startsWith("\"");
    return text.isEmpty() ? Fields.NONE
        : Fields.of("Content-Type", isJson ? "application/json" : "text/plain; charset=utf-8");
  }

  @Override
  public byte[] body() {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
