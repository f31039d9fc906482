package portcullis.acceptance;

import static io.grpc.MethodDescriptor.MethodType.BIDI_STREAMING;
import static io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING;
import static io.grpc.MethodDescriptor.MethodType.UNARY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;

/** Calls of gRPC through the built image, from a client to a server that others wrote. */
class GrpcTest {
  private static final Metadata.Key<String> DETAIL = Metadata.Key.of("x-detail", Metadata.ASCII_STRING_MARSHALLER);

  @TempDir
  private Path folder;
  private Server server;
  private GuardedSite site;
  private ManagedChannel channel;

  /** Messages are plain text: the wire format of their content is nothing to a proxy. */
  private enum Text implements MethodDescriptor.Marshaller<String> {
    MARSHALLER;

    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  static MethodDescriptor<String, String> method(MethodDescriptor.MethodType type, String name) {
    return MethodDescriptor.newBuilder(Text.MARSHALLER, Text.MARSHALLER).setType(type)
        .setFullMethodName("open.Echo/" + name).build();
  }

  static ServerServiceDefinition service() {
    return ServerServiceDefinition.builder("open.Echo")
        .addMethod(method(UNARY, "Say"), ServerCalls.asyncUnaryCall(GrpcTest::say))
        .addMethod(method(SERVER_STREAMING, "Count"), ServerCalls.asyncServerStreamingCall(GrpcTest::count))
        .addMethod(method(BIDI_STREAMING, "Talk"), ServerCalls.asyncBidiStreamingCall(GrpcTest::talk))
        .build();
  }

  private static void say(String request, StreamObserver<String> answers) {
    if (request.equals("fail")) {
      Metadata trailers = new Metadata();
      trailers.put(DETAIL, "it was asked to");
      answers.onError(Status.FAILED_PRECONDITION.withDescription("not today").asRuntimeException(trailers));
      return;
    }
    answers.onNext("you said " + request);
    answers.onCompleted();
  }

  private static void count(String request, StreamObserver<String> answers) {
    for (int i = 0; i < Integer.parseInt(request); i++) {
      answers.onNext(String.valueOf(i));
    }
    answers.onCompleted();
  }

  private static StreamObserver<String> talk(StreamObserver<String> answers) {
    return new StreamObserver<>() {
      @Override
      public void onNext(String value) {
        answers.onNext(value.toUpperCase());
      }

      @Override
      public void onError(Throwable error) {
        answers.onError(error);
      }

      @Override
      public void onCompleted() {
        answers.onCompleted();
      }
    };
  }

  @BeforeEach
  void start() throws Exception {
    server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .addService(service())
        .build().start();
    site = GuardedSite.start(folder, GuardedSite::hello, ", timeout: {read: 2s, write: 2s, idle: 20s}");
    site.rules("""
        - id: echo
          match: {routes: [{path: /open.Echo/:method}]}
          forward_to: {host: "127.0.0.1:%d", rewrite: {scheme: h2c}}
          execute: [{authenticator: anon}, {finalizer: user}]
        """.formatted(server.getPort()) + site.rule("probe", "/probe"));
    site.awaitStatus("/probe", 200);
    channel = NettyChannelBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), site.port()))
        .usePlaintext().build();
  }

  @AfterEach
  void stop() {
    if (channel != null) {
      channel.shutdownNow();
    }
    if (site != null) {
      site.close();
    }
    if (server != null) {
      server.shutdownNow();
    }
  }

  private static CallOptions soon() {
    return CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(30));
  }

  @Test
  void aCallIsAnswered() {
    assertEquals("you said hi", ClientCalls.blockingUnaryCall(channel, method(UNARY, "Say"), soon(), "hi"));
    String long1 = "x".repeat(1_000_000);
    assertEquals("you said " + long1, ClientCalls.blockingUnaryCall(channel, method(UNARY, "Say"), soon(), long1));
  }

  @Test
  void aFailureComesWithItsTrailers() {
    StatusRuntimeException failure = assertThrows(StatusRuntimeException.class,
        () -> ClientCalls.blockingUnaryCall(channel, method(UNARY, "Say"), soon(), "fail"));
    assertEquals("FAILED_PRECONDITION: not today", failure.getMessage());
    assertEquals("it was asked to", failure.getTrailers().get(DETAIL));
  }

  @Test
  void aStreamOfAnswersComesWhole() {
    Iterator<String> answers = ClientCalls.blockingServerStreamingCall(channel, method(SERVER_STREAMING, "Count"),
        soon(), "5000");
    List<String> all = new ArrayList<>();
    answers.forEachRemaining(all::add);
    assertEquals(5000, all.size());
    assertEquals("4999", all.getLast());
  }

  /** Longer than any single wait of a plain request, with pauses, each side answering the other. */
  @Test
  void aConversationLastsAsLongAsItLikes() throws Exception {
    BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    StreamObserver<String> mine = ClientCalls.asyncBidiStreamingCall(
        channel.newCall(method(BIDI_STREAMING, "Talk"), soon()),
        new StreamObserver<>() {
          @Override
          public void onNext(String value) {
            answers.add(value);
          }

          @Override
          public void onError(Throwable error) {
            answers.add("failed: " + error);
          }

          @Override
          public void onCompleted() {
            answers.add("over");
          }
        });
    for (String word : List.of("one", "two", "three")) {
      Await.pause(word.equals("two") ? 3_000 : 20);
      mine.onNext(word);
      assertEquals(word.toUpperCase(), answers.poll(10, TimeUnit.SECONDS));
    }
    mine.onCompleted();
    assertEquals("over", answers.poll(10, TimeUnit.SECONDS));
  }

  @Test
  void aCallThatNoRuleAllowsNeverReachesTheServer() {
    StatusRuntimeException failure = assertThrows(StatusRuntimeException.class,
        () -> ClientCalls.blockingUnaryCall(channel,
            MethodDescriptor.newBuilder(Text.MARSHALLER, Text.MARSHALLER).setType(UNARY)
                .setFullMethodName("closed.Echo/Say").build(),
            soon(), "hi"));
    assertEquals(Status.Code.UNAUTHENTICATED, failure.getStatus().getCode(), failure.getMessage());
  }
}
