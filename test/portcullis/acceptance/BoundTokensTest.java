package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TokenIssuer;

/** Bound tokens at two instances of the built image that share a Redis. */
final class BoundTokensTest {
  private static final String URL = "http://app.example/orders";

  @TempDir
  private Path folder;
  private final int first = FreePort.next();
  private final int second = FreePort.next();

  private RunningImage instance(int port, RedisServer redis, TokenIssuer issuer) throws IOException {
    Path own = Files.createDirectory(folder.resolve("instance-" + port));
    Files.writeString(own.resolve("config.yaml"), """
        log: { level: info, format: text }
        tracing: { enabled: false }
        metrics: { enabled: false }
        serve: { host: 127.0.0.1, port: %d }
        management: { host: 127.0.0.1, port: %d }
        cache: { type: redis, config: { address: "127.0.0.1:%d", tls: { disabled: true } } }
        mechanisms:
          authenticators:
            - id: tokens
              type: jwt
              config:
                jwks_endpoint: { url: "%s" }
                assertions: { issuers: [ a ], proof_of_possession: { type: dpop } }
        providers: { file_system: { src: rules.yaml } }
        """.formatted(port, FreePort.next(), redis.port(), issuer.jwksUrl()));
    Files.writeString(own.resolve("rules.yaml"), """
        version: "1alpha4"
        rules: [ { id: all, match: { routes: [ { path: /** } ] }, execute: [ { authenticator: tokens } ] } ]
        """);
    RunningImage image = RunningImage.startIn(own, "serve", "decision", "-c", "config.yaml", "--insecure");
    image.await("Starting listening .*_service=decision");
    return image;
  }

  private static String ask(int port, String... fields) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(("GET /orders HTTP/1.1\r\nHost: app.example\r\nConnection: close\r\n"
          + String.join("\r\n", fields) + "\r\n\r\n").getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  private static int status(String answer) {
    return Integer.parseInt(answer.substring(9, 12));
  }

  private static String proof(TokenIssuer client, String token, String id) throws GeneralSecurityException {
    return "DPoP: " + client.proof("{\"jti\":\"" + id + "\",\"htm\":\"GET\",\"htu\":\"" + URL + "\",\"iat\":"
        + Instant.now().getEpochSecond() + ",\"ath\":\"" + TokenIssuer.sha256(token) + "\"}");
  }

  @Test
  void replayedProofIsRefusedByEitherInstance() throws Exception {
    Needs.program("redis-server");
    try (RedisServer redis = RedisServer.start(folder);
        TokenIssuer issuer = new TokenIssuer();
        TokenIssuer client = new TokenIssuer();
        TokenIssuer thief = new TokenIssuer();
        RunningImage _ = instance(first, redis, issuer);
        RunningImage _ = instance(second, redis, issuer)) {
      String token = issuer.token("{\"iss\":\"a\",\"sub\":\"ann\",\"exp\":" + Instant.now().plusSeconds(600)
          .getEpochSecond() + ",\"cnf\":{\"jkt\":\"" + client.thumbprint() + "\"}}");
      String credentials = "Authorization: DPoP " + token;
      int[] order = {first, second, first};
      for (int i = 0; i < 2; i++) {
        String proof = proof(client, token, "id" + i);
        assertEquals(200, status(ask(order[i], credentials, proof)));
        for (int instance : new int[] {order[i + 1], order[i]}) {
          String replayed = ask(instance, credentials, proof);
          assertEquals(401, status(replayed), replayed);
          assertTrue(replayed.contains("WWW-Authenticate: DPoP error=\"invalid_dpop_proof\""), replayed);
        }
      }
      // the token without the key of its client is of no use at either
      for (int instance : new int[] {first, second}) {
        String stolen = ask(instance, credentials, proof(thief, token, "mine" + instance));
        assertEquals(401, status(stolen), stolen);
        assertTrue(stolen.contains("WWW-Authenticate: DPoP error="), stolen);
        assertEquals(401, status(ask(instance, "Authorization: Bearer " + token)));
        assertEquals(200, status(ask(instance, credentials, proof(client, token, "last" + instance))));
      }
      redis.kill();
      assertEquals(502, status(ask(first, credentials, proof(client, token, "without redis"))));
    }
  }
}
