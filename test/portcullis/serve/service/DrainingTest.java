package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;

/** A service that stops: what is in progress ends, nothing new begins. */
class DrainingTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final ListenerSettings.Timeouts PATIENT = new ListenerSettings.Timeouts(LONG, LONG, LONG,
      Optional.empty(), Optional.empty(), Optional.empty());

  @Test
  void takesNoConnectionsAndEndsRequestsInProgress() throws Exception {
    CountDownLatch receivedCalls = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      receivedCalls.countDown();
      assertTrue(awaited(open));
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          "- {id: all, match: {routes: [{path: /first}]}, execute: [{authenticator: anon}], "
              + "forward_to: {host: '127.0.0.1:%d', rewrite: {scheme: http}}}\n".formatted(upstream.port()));
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT, PATIENT), Optional.empty(),
              setup.decider(), client);
      CompletableFuture<String> first = CompletableFuture
          .supplyAsync(() -> answer(listener, "/first"), threads);
      assertTrue(awaited(receivedCalls), "the upstream was asked");
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(() -> listener.stop(LONG), threads);
      Await.until(() -> isRefused(listener));
      assertTrue(isRefused(listener), "no more connections are taken");
      assertFalse(stopped.isDone(), "a request is in progress");
      open.countDown();
      String answer = first.get(60, TimeUnit.SECONDS);
      assertEquals("ok close", OneRequest.body(answer) + " " + OneRequest.field(answer, "Connection"));
      stopped.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void anInterruptEndsTheWaitForRequestsAndStaysSet() throws Exception {
    CountDownLatch receivedCalls = new CountDownLatch(1);
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      receivedCalls.countDown();
      peer.awaitEnd();
    });
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          "- {id: all, match: {routes: [{path: /first}]}, execute: [{authenticator: anon}], "
              + "forward_to: {host: '127.0.0.1:%d', rewrite: {scheme: http}}}\n".formatted(upstream.port()));
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT, PATIENT), Optional.empty(),
              setup.decider(), client);
      CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> answer(listener, "/first"), threads);
      assertTrue(awaited(receivedCalls), "the upstream was asked");
      CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> {
        Thread.currentThread().interrupt();
        listener.stop(LONG);
        return Thread.interrupted();
      }, threads);
      assertTrue(stopped.get(60, TimeUnit.SECONDS), "long before the time is over");
      assertTrue(first.handle((text, e) -> e != null || text.isEmpty() || text.startsWith("HTTP/1.1 503 "))
          .get(60, TimeUnit.SECONDS));
    }
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isRefused(Listener listener) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      return !socket.isConnected();
    } catch (IOException _) {
      return true;
    }
  }

  private static String answer(Listener listener, String target) {
    try {
      return OneRequest.answer(listener.port(), "GET " + target + " HTTP/1.1\r\nHost: a.test\r\n\r\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
