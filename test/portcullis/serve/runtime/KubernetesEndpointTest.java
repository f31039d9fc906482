package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.KubernetesRules;
import portcullis.fixture.RawUpstream;

/** Rule sets as they are in Kubernetes, from an endpoint and from a file. */
class KubernetesEndpointTest {
  private static final String CONFIG = """
      mechanisms: { authenticators: [ { id: anyone, type: anonymous } ] }
      default_rule: { execute: [ { authenticator: anyone } ] }
      """;

  @TempDir
  private Path folder;

  @ParameterizedTest
  @EnumSource
  void areReadFromAnEndpoint(KubernetesRules form) throws Exception {
    String type = form == KubernetesRules.JSON ? "application/json" : "application/yaml";
    String answer = "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + form.text().length()
        + "\r\n\r\n" + form.text();
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
        peer.say(answer);
      }
    });
        Site site = new Site(folder)) {
      site.config(CONFIG + "providers: { http_endpoint: { watch_interval: 1h, endpoints: [ { url: \""
          + upstream.uri("/rules") + "\" } ] } }\n").start();
      site.awaitFound("/a", "a");
      site.awaitFound("/b", "b");
      assertEquals("-", site.found("/c"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void areReadFromAFile(KubernetesRules form) throws Exception {
    try (Site site = new Site(folder)) {
      site.config(CONFIG + "providers: { file_system: { src: " + folder.resolve("rules") + " } }\n");
      Files.writeString(folder.resolve("rules/k.yaml"), form.text());
      site.start();
      assertEquals("a b -", site.found("/a") + " " + site.found("/b") + " " + site.found("/c"));
    }
  }
}
