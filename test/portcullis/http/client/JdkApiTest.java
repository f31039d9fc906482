package portcullis.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.RawUpstream;

/** What java.net.http promises, with requests of its builder and its own handlers and publishers. */
final class JdkApiTest {
  private static final String LINES = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX: 1\r\nx: "
      + "2\r\n\r\n4\r\none\n\r\n4\r\ntwo\n\r\n0\r\n\r\n";

  /** Answers with the request's body, of a known length or in chunks. */
  private static final RawUpstream.Script ECHO = peer -> {
    for (String head = peer.head(); !head.isEmpty(); head = peer.head()) {
      int length = head.contains("Content-Length")
          ? Integer.parseInt(head.replaceAll("(?s).*Content-Length: (\\d+).*", "$1"))
          : 0;
      String body = head.contains("chunked") ? chunks(peer) : peer.read(length);
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }
  };

  private final HttpClient client = Ask.client();

  @AfterEach
  void close() {
    client.close();
  }

  private static String chunks(RawUpstream.Peer peer) throws IOException {
    StringBuilder out = new StringBuilder();
    while (true) {
      String size = peer.line();
      int length = Integer.parseInt(size, 16);
      out.append(peer.read(length));
      peer.line();
      if (length == 0) {
        return out.toString();
      }
    }
  }

  private <T> HttpResponse<T> get(BodyHandler<T> handler) throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(LINES)) {
      return client.send(Ask.plain(upstream, "/a?b=c").build(), handler);
    }
  }

  @Test
  void worksWithHandlersThatCollectTheBody(@TempDir Path folder) throws IOException, InterruptedException {
    assertEquals("one\ntwo\n", get(BodyHandlers.ofString()).body());
    assertArrayEquals("one\ntwo\n".getBytes(UTF_8), get(BodyHandlers.ofByteArray()).body());
    assertEquals("one\ntwo\n", Files.readString(get(BodyHandlers.ofFile(folder.resolve("f"))).body()));
    assertEquals("else", get(BodyHandlers.replacing("else")).body());
    assertEquals("one\ntwo\n", get(BodyHandlers.buffering(BodyHandlers.ofString(), 3)).body());
    assertEquals(8, get(_ -> BodySubscribers.mapping(BodySubscribers.ofString(UTF_8), String::length)).body());
    get(BodyHandlers.discarding());
    List<Byte> seen = new ArrayList<>();
    get(BodyHandlers.ofByteArrayConsumer(bytes -> bytes.ifPresent(all -> seen.add(all[0]))));
    assertEquals((byte) 'o', seen.getFirst());
  }

  @Test
  void worksWithHandlersThatReadLater() throws Exception {
    try (RawUpstream upstream = RawUpstream.answering(LINES)) {
      HttpRequest request = Ask.plain(upstream, "/").build();
      assertEquals(List.of("one", "two"), client.send(request, BodyHandlers.ofLines()).body().toList());
      try (InputStream stream = client.send(request, BodyHandlers.ofInputStream()).body()) {
        assertInstanceOf(ResponseBody.class, stream);
        assertEquals("one\ntwo\n", new String(stream.readAllBytes(), UTF_8));
      }
      CompletableFuture<String> text = new CompletableFuture<>();
      Flow.Publisher<List<ByteBuffer>> publisher = client.send(request, BodyHandlers.ofPublisher()).body();
      publisher.subscribe(collecting(text));
      assertEquals("one\ntwo\n", text.get());
      assertEquals(1, upstream.connections());
    }
  }

  private static Flow.Subscriber<List<ByteBuffer>> collecting(CompletableFuture<String> text) {
    var strings = BodySubscribers.ofString(UTF_8);
    strings.getBody().thenAccept(text::complete);
    return strings;
  }

  @Test
  void worksWithAllPublishers(@TempDir Path folder) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("f"), "file");
    SubmissionPublisher<ByteBuffer> foreign = new SubmissionPublisher<>();
    List<BodyPublisher> publishers = List.of(BodyPublishers.ofString("text"),
        BodyPublishers.ofByteArray("text".getBytes(UTF_8)),
        BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("text".getBytes(UTF_8))),
        BodyPublishers.ofFile(file),
        BodyPublishers.concat(BodyPublishers.ofString("te"), BodyPublishers.ofString("xt")),
        BodyPublishers.ofByteArrays(List.of("te".getBytes(UTF_8), "xt".getBytes(UTF_8))),
        BodyPublishers.fromPublisher(foreign), BodyPublishers.ofString("x".repeat(300_000)), BodyPublishers.noBody());
    Thread.ofVirtual().start(() -> {
      Ask.within(() -> foreign.hasSubscribers());
      foreign.submit(ByteBuffer.wrap("te".getBytes(UTF_8)));
      foreign.submit(ByteBuffer.wrap("xt".getBytes(UTF_8)));
      foreign.close();
    });
    List<String> answers = new ArrayList<>();
    try (RawUpstream upstream = RawUpstream.of(ECHO)) {
      for (BodyPublisher publisher : publishers) {
        answers.add(client.send(Ask.plain(upstream, "/").POST(publisher).build(), BodyHandlers.ofString()).body());
      }
      assertEquals(List.of("text", "text", "text", "file", "text", "text", "text", "x".repeat(300_000), ""), answers);
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void reportsPublisherOfBrokenBody() {
    try (RawUpstream upstream = RawUpstream.of(ECHO)) {
      BodyPublisher broken = BodyPublishers.ofInputStream(() -> {
        throw new IllegalStateException("broken");
      });
      assertThrows(RequestBodyException.class,
          () -> client.send(Ask.plain(upstream, "/").POST(broken).build(), BodyHandlers.ofString()));
    }
  }

  @Test
  void sendsOnlyWhatTheBuilderSets() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(ECHO)) {
      HttpRequest request = Ask.plain(upstream, "/a%2Fb/../c?x=%20&y#fragment").header("Accept", "a")
          .header("Accept", "b")
          .method("PATCH", BodyPublishers.ofString("body")).build();
      assertEquals("body", client.send(request, BodyHandlers.ofString()).body());
      client.send(Ask.plain(upstream, "").build(), BodyHandlers.ofString());
      assertEquals("PATCH /a%2Fb/../c?x=%20&y HTTP/1.1\r\nAccept: a\r\nAccept: b\r\nHost: " + upstream.host()
          + "\r\nContent-Length: 4\r\n\r\n", upstream.heads().getFirst());
      assertEquals("GET / HTTP/1.1\r\nHost: " + upstream.host() + "\r\n\r\n", upstream.heads().getLast());
    }
  }

  @Test
  void responseHasWhatTheApiPromises() throws IOException, InterruptedException {
    HttpResponse<String> answer = get(BodyHandlers.ofString());
    assertEquals(200, answer.statusCode());
    assertEquals(List.of("1", "2"), answer.headers().allValues("X"));
    assertEquals(HttpClient.Version.HTTP_1_1, answer.version());
    assertEquals("/a?b=c", answer.uri().getPath() + "?" + answer.uri().getQuery());
    assertEquals(answer.uri(), answer.request().uri());
    assertTrue(answer.previousResponse().isEmpty() && answer.sslSession().isEmpty());
  }

  @Test
  void followsNoRedirect() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering("HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: "
        + "0\r\n\r\n")) {
      assertEquals(302, client.send(Ask.plain(upstream, "/").build(), BodyHandlers.discarding()).statusCode());
      assertEquals(1, upstream.heads().size());
    }
  }

  @Test
  void sendsAsynchronously() throws Exception {
    try (RawUpstream upstream = RawUpstream.answering(LINES)) {
      var all = IntStream.range(0, 20)
          .mapToObj(_ -> client.sendAsync(Ask.plain(upstream, "/").build(), BodyHandlers.ofString())).toList();
      for (var each : all) {
        assertEquals("one\ntwo\n", each.get().body());
      }
    }
    HttpRequest nowhere = HttpRequest.newBuilder(URI.create("http://no-such-host.invalid/")).build();
    var error = assertThrows(ExecutionException.class, () -> client.sendAsync(nowhere, BodyHandlers.ofString()).get());
    assertInstanceOf(UnreachableException.class, error.getCause());
    var joined = assertThrows(CompletionException.class,
        () -> client.sendAsync(nowhere, BodyHandlers.ofString(), (_, _, _) -> {}).join());
    assertInstanceOf(UnreachableException.class, joined.getCause());
  }

  @Test
  void cancellationEndsExchange() {
    try (RawUpstream upstream = RawUpstream.of(RawUpstream.Peer::awaitEnd)) {
      var future = client.sendAsync(Ask.plain(upstream, "/").build(), BodyHandlers.ofString());
      assertTrue(Ask.within(() -> upstream.open() == 1));
      future.cancel(true);
      assertTrue(Ask.within(() -> upstream.open() == 0));
    }
  }

  @Test
  void closesConnectionWhenHandlerFails() throws Exception {
    try (RawUpstream upstream = RawUpstream.answering(LINES)) {
      HttpRequest request = Ask.plain(upstream, "/").build();
      assertThrows(IllegalStateException.class, () -> client.send(request, _ -> {
        throw new IllegalStateException("handler");
      }));
      assertThrows(IOException.class,
          () -> client.send(request, _ -> BodySubscribers.mapping(BodySubscribers.ofString(UTF_8), Integer::parseInt)));
      assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofFile(Path.of("/no/such/folder/file"))));
      assertTrue(Ask.within(() -> upstream.open() <= 1), "the mapping has read all of the body");
    }
  }

  @Test
  void endsWhenShutDown() throws Exception {
    try (RawUpstream upstream = RawUpstream.answering(LINES)) {
      HttpRequest request = Ask.plain(upstream, "/").build();
      InputStream open = client.send(request, BodyHandlers.ofInputStream()).body();
      assertFalse(client.isTerminated());
      client.shutdown();
      assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofString()));
      assertFalse(client.awaitTermination(Duration.ofMillis(10)));
      assertEquals("one\ntwo\n", new String(open.readAllBytes(), UTF_8), "what is under way goes on");
      assertTrue(client.awaitTermination(Ask.LONG));
      assertTrue(client.isTerminated());
    }
  }

  @Test
  void shutdownNowEndsOpenExchanges() throws Exception {
    try (RawUpstream upstream = RawUpstream.of(RawUpstream.Peer::awaitEnd)) {
      var future = client.sendAsync(Ask.plain(upstream, "/").build(), BodyHandlers.ofString());
      assertTrue(Ask.within(() -> upstream.open() == 1));
      client.shutdownNow();
      assertInstanceOf(NoResponseException.class, assertThrows(ExecutionException.class, future::get).getCause());
      assertTrue(client.awaitTermination(Ask.LONG));
    }
  }

  @Test
  void refusesWebSockets() {
    assertThrows(UnsupportedOperationException.class, client::newWebSocketBuilder);
  }
}
