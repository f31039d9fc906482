package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import portcullis.lang.template.UrlText;

/** Exchanges and tunnels that are no more than they have to be: what they cannot do they say. */
class UnsupportedFeaturesTest {
  private final List<String> receivedCalls = new ArrayList<>();

  /** One with the default methods only; its fields are these. */
  private <T> T bare(Class<T> type, Fields fields) {
    InvocationHandler handler = (proxy, method, arguments) -> {
      if (method.isDefault()) {
        return InvocationHandler.invokeDefault(proxy, method, arguments);
      }
      receivedCalls.add(method.getName());
      return method.getName().equals("fields") ? fields : null;
    };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Test
  void anExchangeIsNeitherPausedNorSuspendedUnlessItSaysSo() {
    WireExchange exchange = bare(WireExchange.class, Fields.NONE);
    assertFalse(exchange.mayPause());
    assertFalse(exchange.canPause());
    assertFalse(exchange.maySuspend());
    assertEquals("an exchange that cannot be paused", assertThrows(UnsupportedOperationException.class,
        () -> exchange.pause(bare(Bodies.class, Fields.NONE).none(), _ -> {})).getMessage());
    assertEquals("an exchange that cannot be suspended",
        assertThrows(UnsupportedOperationException.class, () -> exchange.suspend(() -> {})).getMessage());
    exchange.allowPauses();
    exchange.watchClient(() -> {});
  }

  private interface Bodies {
    PausableBody none();
  }

  /** RFC 9112, 6.3: without either field there is no body. */
  @Test
  void aBodyIsAsLongAsItsFieldsSay() {
    assertEquals(OptionalLong.of(0), bare(WireExchange.class, Fields.NONE).length());
    assertEquals(OptionalLong.of(7), bare(WireExchange.class, Fields.of("Content-Length", "7")).length());
    assertEquals(OptionalLong.empty(), bare(WireExchange.class, Fields.of("Transfer-Encoding", "chunked")).length());
  }

  @Test
  void aTunnelDoesNotRestUnlessItSaysSo() throws Exception {
    Tunnel tunnel = bare(Tunnel.class, Fields.NONE);
    assertFalse(tunnel.mayRest());
    assertFalse(tunnel.isEndedHere());
    assertEquals("a tunnel that cannot rest",
        assertThrows(UnsupportedOperationException.class, tunnel::rest).getMessage());
    tunnel.resume();
    tunnel.readLimit(Duration.ofSeconds(1));
    assertEquals(List.of(), receivedCalls);
    tunnel.abort();
    assertEquals(List.of("close"), receivedCalls);
  }

  @Test
  void exchangesOfOtherServersAreRefused() throws Exception {
    CompletableFuture<String> refused = new CompletableFuture<>();
    HttpServer jdk = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    jdk.createContext("/", exchange -> {
      try (exchange) {
        refused.complete(assertThrows(IllegalArgumentException.class, () -> ResponseWriter.to(exchange)).getMessage());
      } catch (AssertionError e) {
        refused.completeExceptionally(e);
      }
    });
    jdk.start();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), jdk.getAddress().getPort())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertEquals("not an exchange of this program's server: sun.net.httpserver.HttpExchangeImpl",
          refused.get(60, TimeUnit.SECONDS));
    } finally {
      jdk.stop(0);
    }
  }

  @Test
  void aRequestThatIsTriedHasNoTrailersAndNoCertificates() throws Exception {
    ValidRequest request = ValidRequest.of("GET", "http://a.test/", Fields.NONE, InetAddress.getLoopbackAddress(),
        new byte[0]);
    assertEquals(Fields.NONE, request.trailers().get());
    assertEquals(List.of(), request.certificates().get());
    assertEquals("http", request.scheme());
  }

  @Test
  void aUrlHasMembersAndFunctions() throws Exception {
    UrlValue url = new UrlValue(UrlText.read("http://shop.test/x?y"));
    assertEquals(UrlValue.MEMBERS, url.members());
    assertEquals(UrlValue.FUNCTIONS, url.functions());
    assertEquals("URL", url.name());
    for (String member : url.members()) {
      assertFalse(url.member(member).isEmpty(), member);
    }
  }
}
