package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The proxies of config/front where {@code trusted_proxies} does not list them, and the home page is for everybody. */
class FrontUntrustedTest {
  private static final String RULES = """

        - id: home
          match: { routes: [ { path: / } ] }
          execute: [ { authenticator: anonymous } ]
      """;

  @TempDir
  private Path folder;

  @ParameterizedTest
  @EnumSource(FrontProxy.Kind.class)
  void aMissingTrustedProxyOpensNothing(FrontProxy.Kind kind) throws IOException {
    FrontProxy.Setup setup = new FrontProxy.Setup(RULES,
        text -> text.replace("trusted_proxies: [ 127.0.0.1 ]", "trusted_proxies: [ 127.0.0.9 ]"), false);
    try (FrontProxy front = new FrontProxy(kind, folder, setup)) {
      int before = front.reached().size();
      String answer = front.get("/closed/a");
      assertTrue(answer.startsWith("HTTP/1.1 401"), answer);
      assertEquals(List.of(), front.reached().subList(before, front.reached().size()));
    }
  }
}
