package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FramePeer;

/** How the built image ends one of several streams on a connection. */
class MultiplexedStreamsTest {
  private static final Metadata.Key<String> AUTHORIZATION = Metadata.Key.of("authorization",
      Metadata.ASCII_STRING_MARSHALLER);

  @TempDir
  private Path folder;

  @Test
  void oneStreamOfAConnectionIsResetAndOthersGoOn() throws Exception {
    try (StreamSite site = new StreamSite(folder, "", "", "");
        Http2Streams client = new Http2Streams(site.port())) {
      Instant expiry = Instant.ofEpochSecond(Instant.now().getEpochSecond() + 4);
      client.get(1, "/events", site.token("alice", "s1", 4));
      client.get(3, "/events", site.token("bob", "s2", 300));
      assertEquals("data: 1\n\n", new String(client.next(FramePeer.DATA).payload()));
      assertEquals("data: 1\n\n", new String(client.next(FramePeer.DATA).payload()));
      Http2Streams.Frame reset = client.next(FramePeer.RST_STREAM);
      assertEquals(1, reset.stream());
      Instant at = Instant.now();
      assertTrue(!at.isBefore(expiry) && at.isBefore(expiry.plusSeconds(2)),
          at + " is not within a second of " + expiry);
      client.ping();
      assertEquals(FramePeer.ACK, client.next(FramePeer.PING).flags(), "the connection goes on");
      site.image().await("Stream ended .*_reason=expired _kind=events _subject=alice");
      assertFalse(site.image().output().contains("_subject=bob"), "and so does the other stream");
    }
  }

  /** A call that talks; what comes of it is in a queue. */
  private record Talk(StreamObserver<String> requests, BlockingQueue<String> answers) {
    String next() throws InterruptedException {
      return String.valueOf(answers.poll(20, TimeUnit.SECONDS));
    }
  }

  private static Talk talk(ManagedChannel channel, String token) {
    Metadata fields = new Metadata();
    fields.put(AUTHORIZATION, "Bearer " + token);
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> requests = ClientCalls.asyncBidiStreamingCall(
        ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(fields))
            .newCall(GrpcTest.method(MethodDescriptor.MethodType.BIDI_STREAMING, "Talk"), CallOptions.DEFAULT),
        new StreamObserver<>() {
          @Override
          public void onNext(String value) {
            answers.add(value);
          }

          @Override
          public void onError(Throwable error) {
            answers.add("ended: " + Status.fromThrowable(error).getCode());
          }

          @Override
          public void onCompleted() {
            answers.add("completed");
          }
        });
    return new Talk(requests, answers);
  }

  @Test
  void aCallEndsWithItsCredentialAndOthersGoOn() throws Exception {
    Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .addService(GrpcTest.service()).build().start();
    try (StreamSite site = new StreamSite(folder, "", "", "")) {
      site.calls(server.getPort());
      ManagedChannel channel = NettyChannelBuilder
          .forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), site.port())).usePlaintext().build();
      try {
        Talk alice = talk(channel, site.token("alice", "s1", 4));
        Talk bob = talk(channel, site.token("bob", "s2", 300));
        alice.requests.onNext("a");
        assertEquals("A", alice.next());
        bob.requests.onNext("b");
        assertEquals("B", bob.next());
        String end = alice.next();
        assertTrue(end.startsWith("ended: "), end);
        site.image().await("Stream ended .*_reason=expired _kind=call _subject=alice _rule=calls");
        bob.requests.onNext("c");
        assertEquals("C", bob.next(), "a call on the same connection");
        bob.requests.onCompleted();
        assertEquals("completed", bob.next());
      } finally {
        channel.shutdownNow();
      }
    } finally {
      server.shutdownNow();
    }
  }
}
