package portcullis.verify;

import portcullis.http.message.Fields;

/**
 * A call of a remote service that a case made.
 *
 * @param step id of the step that made it; empty where none was running
 * @param body as text
 */
record Call(String step, String method, String url, Fields fields, String body) {
  /** Returns the name in messages: {@code POST https://… of step `check`}. */
  String name() {
    return method + " " + url + (step.isEmpty() ? "" : " of step `" + step + "`");
  }
}
