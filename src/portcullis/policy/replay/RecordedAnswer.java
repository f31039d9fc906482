package portcullis.policy.replay;

import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.observe.decisions.RemoteAnswers;

/**
 * A response that was recorded, for calls that are the same as the one that it was given to.
 *
 * @param key of the call; empty if it was not recorded: then method and URL have to be the same
 */
public record RecordedAnswer(String method, String url, String key, int status, Map<String, List<String>> headers,
    byte[] body) implements CannedAnswer {
  public static RecordedAnswer of(RemoteAnswers.Answer answer) {
    return new RecordedAnswer(answer.method(), answer.url(), answer.key(), answer.status(), answer.fields(),
        answer.body());
  }

  /** Returns the fields in the order of {@link HttpHeaders}. */
  @Override
  public Fields fields() {
    List<Field> all = new ArrayList<>();
    HttpHeaders.of(headers, (_, _) -> true).map()
        .forEach((name, values) -> values.forEach(value -> all.add(new Field(name, value))));
    return Fields.of(all);
  }

  @Override
  public boolean fits(Call call) {
    return key.isEmpty() ? method.equals(call.method()) && url.equals(call.url()) : key.equals(call.key());
  }
}
