package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.http.grpc.MessageWriter;

/**
 * What costly calls of one client take from others at the built image, as a service for Envoy with a heap of 128 MB.
 */
class EnvoyMemoryTest {
  private static final int SIZE = 8_000_000;
  private static final String CONFIG = """
      log: {level: error}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d, trusted_proxies: [127.0.0.1]}
      management: {host: 127.0.0.1, port: %d}
      mechanisms: {authenticators: [{id: anon, type: anonymous}], finalizers: [{id: noop, type: noop}]}
      default_rule: {execute: [{authenticator: anon}, {finalizer: noop}]}
      """;

  @TempDir
  private Path folder;

  /** Messages in which every byte costs many. */
  enum Attack {
    EMPTY_HEADERS, EMPTY_LINES, LONG_PATH, LONG_HEADER;

    byte[] message() {
      MessageWriter http = new MessageWriter().string(2, "GET").string(5, "h").string(6, "http");
      switch (this) {
        case EMPTY_HEADERS -> {
          for (int i = 0; i < SIZE / 11; i++) {
            http.message(3, new MessageWriter().string(1, Integer.toString(1_000_000 + i)));
          }
        }
        case EMPTY_LINES -> http.bytes(13, repeated(new MessageWriter().bytes(1, new byte[0]).bytes()));
        case LONG_PATH -> http.bytes(4, repeated("/x".getBytes()));
        case LONG_HEADER -> http.message(3, new MessageWriter().string(1, "x").bytes(2, repeated("x".getBytes())));
      }
      return check(http.string(4, "/"));
    }

    private static byte[] repeated(byte[] piece) {
      byte[] out = new byte[SIZE / piece.length * piece.length];
      for (int i = 0; i < out.length; i++) {
        out[i] = piece[i % piece.length];
      }
      return out;
    }
  }

  private static byte[] check(MessageWriter http) {
    return new MessageWriter().message(1, new MessageWriter().message(4, new MessageWriter().message(2, http))).bytes();
  }

  private enum Bytes implements MethodDescriptor.Marshaller<byte[]> {
    MARSHALLER;

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static byte[] call(ManagedChannel channel, byte[] message) {
    MethodDescriptor<byte[], byte[]> check = MethodDescriptor.newBuilder(Bytes.MARSHALLER, Bytes.MARSHALLER)
        .setType(MethodDescriptor.MethodType.UNARY)
        .setFullMethodName("envoy.service.auth.v3.Authorization/Check").build();
    return ClientCalls.blockingUnaryCall(channel, check,
        CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(30)), message);
  }

  private static void attack(ManagedChannel channel, byte[] message) {
    try {
      call(channel, message);
    } catch (StatusRuntimeException e) {
      // refused
    }
  }

  @ParameterizedTest
  @EnumSource
  void costlyChecksAreRefusedAndOthersServed(Attack attack) throws Exception {
    int port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next()));
    byte[] message = attack.message();
    byte[] small = check(new MessageWriter().string(2, "GET").string(4, "/").string(5, "h").string(6, "http"));
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    try (RunningImage image = RunningImage.startIn(folder, Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xmx128m"), "serve",
        "decision", "-c", "config.yaml", "--insecure", "--envoy-grpc")) {
      ManagedChannel channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
      try {
        byte[] allowed = awaited(channel, small);
        List<Thread> attackers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          attackers.add(Thread.startVirtualThread(() -> attackOnOne(address, message)));
        }
        while (attackers.stream().anyMatch(Thread::isAlive)) {
          assertArrayEquals(allowed, call(channel, small), image::output);
        }
        assertTrue(allowed.length > 0);
        assertFalse(image.output().contains("OutOfMemory"), image::output);
      } finally {
        channel.shutdownNow();
      }
    }
  }

  private static void attackOnOne(InetSocketAddress address, byte[] message) {
    ManagedChannel channel = NettyChannelBuilder.forAddress(address).usePlaintext().build();
    try {
      attack(channel, message);
      attack(channel, message);
    } finally {
      channel.shutdownNow();
    }
  }

  /** Calls until the service answers. */
  private static byte[] awaited(ManagedChannel channel, byte[] message) throws InterruptedException {
    AtomicReference<byte[]> answer = new AtomicReference<>(new byte[0]);
    AtomicReference<String> failure = new AtomicReference<>("");
    Await.until(() -> {
      try {
        answer.set(call(channel, message));
        return true;
      } catch (StatusRuntimeException e) {
        failure.set(e.toString());
        channel.resetConnectBackoff();
        return false;
      }
    }, failure::get);
    return answer.get();
  }
}
