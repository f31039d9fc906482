package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpClient;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.ResponseStatusException;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.Observer;

/** A rule that lets encoded slashes be decoded is no way around the rule for the path that comes of it. */
class DecodedSlashesTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]
      """;
  private static final String RULES = """
      - {id: page, match: {routes: [{path: "/:x"}, {path: "/:x/:y"}]}, allow_encoded_slashes: "on", execute: \
      [{authenticator: anon}]}
      - {id: keep, match: {routes: [{path: /keep/:x}]}, allow_encoded_slashes: no_decode, execute: [{authenticator: \
      anon}]}
      - {id: put, match: {routes: [{path: /put/x}], methods: [PUT]}, execute: [{authenticator: nobody}]}
      - {id: admin, match: {routes: [{path: /admin}, {path: "/admin/**"}]}, execute: [{authenticator: nobody}]}
      """;

  private final DeciderSetup setup = new DeciderSetup(HttpClient.newHttpClient(), MECHANISMS, RULES);

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /a%2Fb            | page /a/b
      /a%2fb%2Fc        | refused by page: precondition
      /%2Fa             | page /a
      /put%2Fx          | page /put/x
      /keep/a%2Fb       | keep /keep/a%2Fb
      /admin            | refused by admin: authentication
      /%2Fadmin         | refused by page: precondition
      /%2f%2fadmin      | refused by page: precondition
      /admin%2F         | refused by page: precondition
      /admin%2fx        | refused by page: precondition
      /%61dmin%2Fx%2F   | refused by page: precondition
      /keep%2Fx         | refused by page: precondition
      """)
  void decides(String path, String reported) throws ResponseStatusException {
    Request request = new Request("GET", "http", Authority.parse("any.test").orElseThrow(), RequestPath.read(path), "",
        Fields.NONE, List.of(), Body.none());
    assertEquals(reported, switch (setup.decider().decide(request, Observer.NONE)) {
      case Decision.Allow allow -> allow.rule().id() + " " + allow.state().request().path().spelling();
      case Decision.Own _ -> "an endpoint";
      case Decision.Refuse refuse -> "refused by " + refuse.rule().orElseThrow().id() + ": "
          + refuse.stepFailure().failure().getClass().getSimpleName().toLowerCase(Locale.ROOT);
    });
  }
}
