package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.http.message.Fields;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.pipeline.Observer;

/** A dry run returns the response that a client would get. */
class DryRunTest {
  private final DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: anon, type: anonymous}]\n",
      "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}]}\n");

  private DryRun.Outcome of(String path) {
    return of(path, setup);
  }

  private static DryRun.Outcome of(String path, DeciderSetup setup) {
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
  void endpointsOfLoginsAreNamedAsTheReason(@TempDir Path folder) throws IOException {
    Path keys = Files.writeString(folder.resolve("session.keys"), "0b".repeat(32));
    DeciderSetup logins = new DeciderSetup(null, "authenticators: [{id: login, type: oidc, config: {providers: "
        + "[{issuer: 'https://login.test', client_id: shop, client_auth: {client_secret: secret}}], session: {keys: '"
        + keys + "'}}}]", "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: login}]}\n");
    DryRun.Outcome outcome = of("/.portcullis/logout", logins);
    assertEquals("200 answered by an endpoint of a login", outcome.answer().status() + " " + outcome.reason());
  }

  @Test
  void anAllowedRequestHasTheResponseOfADecisionService() {
    DryRun.Outcome outcome = of("/a");
    assertTrue(outcome.allowed());
    assertEquals(200, outcome.answer().status());
    assertEquals("", outcome.reason());
  }
}
