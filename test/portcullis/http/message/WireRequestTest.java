package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What other clients than ours read of a request. */
class WireRequestTest {
  private static WireRequest of(String target, long length) {
    return new WireRequest(new WireRequest.Parts("PUT", URI.create("https://a.test:8443"), target,
        Fields.of("Host", "b.test", "X-A", "1", "x-a", "2", "Content-Length", "3", "Expect", "100-continue",
            "Connection", "close", "X-B", "3"),
        InputStream.nullInputStream(), length, () -> Fields.NONE, (_, _) -> {}, Duration.ofSeconds(7),
        Duration.ofSeconds(9)));
  }

  @Test
  void bodiesHaveTheirLength() {
    assertEquals(Optional.empty(), of("/", 0).bodyPublisher());
    assertEquals(Optional.of(5L), of("/", 5).bodyPublisher().map(BodyPublisher::contentLength));
    assertEquals(Optional.of(-1L), of("/", -1).bodyPublisher().map(BodyPublisher::contentLength), "not known");
  }

  @Test
  void headIsWhatOtherClientsCanSay() {
    WireRequest request = of("/x%20y?z=1", 0);
    assertEquals("PUT", request.method());
    assertEquals(URI.create("https://a.test:8443/x%20y?z=1"), request.uri());
    assertEquals(Optional.of(Duration.ofSeconds(7)), request.timeout());
    assertEquals(Optional.empty(), request.version());
    assertEquals(false, request.expectContinue());
    assertEquals(Map.of("X-A", List.of("1", "2"), "X-B", List.of("3")), request.headers().map());
    WireRequest odd = of("/a b", 0);
    assertThrows(IllegalArgumentException.class, odd::uri);
  }
}
