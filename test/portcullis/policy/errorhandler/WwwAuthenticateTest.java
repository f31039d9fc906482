package portcullis.policy.errorhandler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Response;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.rule.Rules;

class WwwAuthenticateTest {
  private static final String MECHANISMS = """
      authenticators: [{id: no, type: unauthorized}]
      error_handlers: [{id: ask, type: www_authenticate%s}]
      """;

  /** A quoted string of RFC 9110, 5.6.4: what ends it or escapes is escaped. */
  @ParameterizedTest
  @CsvSource(delimiter = '§', quoteCharacter = '`', textBlock = """
      `, config: {}`                     § Basic realm="Please authenticate"
      `, config: {realm: Shop}`          § Basic realm="Shop"
      `, config: {realm: 'a "b" c'}`     § Basic realm="a \\"b\\" c"
      `, config: {realm: 'a\\b'}`        § Basic realm="a\\\\b"
      `, config: {realm: 'x", evil="'}`  § Basic realm="x\\", evil=\\""
      """)
  void realmIsAQuotedString(String config, String header) {
    PipelineResult result = Rules
        .pipeline(MECHANISMS.formatted(config), "execute: [{authenticator: no}]\non_error: [{error_handler: ask}]")
        .run(Rules.request("/", ""), AccessGuard.OPEN, Observer.NONE);
    Response answer = ((PipelineResult.Failed) result).answer().orElseThrow().answer();
    assertEquals(401, answer.status());
    assertEquals(List.of(header), answer.fields().all("WWW-Authenticate"));
  }
}
