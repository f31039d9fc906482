package portcullis.serve.console;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.ValidRequest;
import portcullis.lang.source.Problems;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.lock.LockTable;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.route.EncodedSlashes;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.AccessSteps;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.service.ConsoleEndpoint;
import portcullis.serve.stream.StreamRegistry;
import portcullis.serve.stream.StreamSettings;

/** A console for the user {@code op} with the password {@code secret}, without a listener. */
final class ConsoleSetup {
  static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: staff, type: basic_auth,
        config: {user_id: op, password: secret}}]
      authorizers: [{id: nobody, type: deny}]
      """;
  static final String CREDENTIALS = "Basic "
      + Base64.getEncoder().encodeToString("op:secret".getBytes(StandardCharsets.UTF_8));

  private final Console console;

  ConsoleSetup(String execute, List<ConsolePage> pages) {
    Problems problems = new Problems();
    Catalogue catalogue = Catalogues.of(MECHANISMS, Enforcement.NONE, problems);
    Pipeline steps = Catalogues.node(execute, problems)
        .flatMap(node -> AccessSteps.read(node, true, catalogue, problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    Rule rule = new Rule("console", "management", steps, Optional.empty(), EncodedSlashes.OFF, ReadingPolicy.DEFAULT,
        List.of(), RuleOrigin.UNKNOWN, Optional.empty());
    Snapshot snapshot = new Snapshot(1, catalogue, RouteIndex.empty(), Optional.of(rule),
        ProtectedHeaders.NONE);
    Decider decider = new Decider(() -> snapshot, catalogue.context().log());
    console = new Console(decider, new StreamRegistry(decider, new LockTable(InstantSource.system()),
        StreamSettings.DEFAULT, InstantSource.system(), catalogue.context().log()), List.of("localhost", "127.0.0.1"),
        pages, "1.2.3", catalogue.context().log(), InstantSource.system());
  }

  /** Returns the response to a request for {@code http://localhost:4457}. */
  Response get(String path, String... fields) {
    return send("GET", "http://localhost:4457" + path, "", fields);
  }

  Response send(String method, String url, String body, String... fields) {
    try {
      ConsoleEndpoint.Answer answer = console.answer(ValidRequest.of(method, url, Fields.of(fields),
          InetAddress.getLoopbackAddress(), body.getBytes(StandardCharsets.UTF_8)));
      return ((ConsoleEndpoint.Whole) answer).response();
    } catch (ResponseStatusException e) {
      throw new AssertionError(e);
    }
  }

  static String text(Response response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }
}
