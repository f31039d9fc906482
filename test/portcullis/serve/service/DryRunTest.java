package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Fields;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.pipeline.Observer;

/** A dry run returns the response that a client would get. */
class DryRunTest {
  private final DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\n",
      "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");

  private DryRun.Outcome of(String path) {
    ResponseSettings verbose = new ResponseSettings(true, ResponseSettings.DEFAULT.with(), false);
    DryRun run = new DryRun(ListenerSettings.plain("127.0.0.1", 0), new ErrorResponses(verbose, setup.log()));
    return run.of(new DryRun.Draft("GET", "https://app.example" + path, Fields.of("Accept", "text/plain"),
        InetAddress.getLoopbackAddress(), new byte[0]), setup.decider(), Observer.NONE);
  }

  @Test
  void aRefusedPathIsAPreconditionErrorWithItsReason() {
    DryRun.Outcome outcome = of("/a%5Cb");
    assertFalse(outcome.allowed());
    assertEquals(400, outcome.answer().status());
    String body = new String(outcome.answer().body(), StandardCharsets.UTF_8);
    assertFalse(outcome.reason().isEmpty());
    assertTrue(body.contains(outcome.reason()), body);
  }

  @Test
  void anAllowedRequestHasTheResponseOfADecisionService() {
    DryRun.Outcome outcome = of("/a");
    assertTrue(outcome.allowed());
    assertEquals(200, outcome.answer().status());
    assertEquals("", outcome.reason());
  }
}
