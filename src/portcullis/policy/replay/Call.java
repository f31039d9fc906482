package portcullis.policy.replay;

import portcullis.http.message.Fields;

/**
 * A call of a remote service.
 *
 * @param step id of the step that made it; empty where none was running
 * @param body as text
 * @param key of the call ({@link portcullis.observe.decisions.CallKey})
 */
public record Call(String step, String method, String url, Fields fields, String body, String key) {
  /** Returns the name in messages: {@code POST https://… of step `check`}. */
  public String name() {
    return method + " " + url + (step.isEmpty() ? "" : " of step `" + step + "`");
  }
}
