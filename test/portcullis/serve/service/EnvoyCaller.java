package portcullis.serve.service;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import portcullis.http.grpc.GrpcException;
import portcullis.http.grpc.MessageReader;
import portcullis.http.grpc.MessageWriter;

/**
 * Plays Envoy with a client of gRPC that others wrote; messages are made and read here, by their documented layouts.
 */
final class EnvoyCaller implements AutoCloseable {
  static final String CHECK = "envoy.service.auth.v3.Authorization/Check";

  private final ManagedChannel channel;

  EnvoyCaller(int port) {
    this(port, "localhost:" + port);
  }

  /** @param authority by which it calls, valid or not */
  EnvoyCaller(int port, String authority) {
    channel = NettyChannelBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .usePlaintext().overrideAuthority(authority)
        .maxInboundMessageSize(1 << 24).build();
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

  /** A call as it is. */
  byte[] call(String method, byte[] message, CallOptions options, String... metadata) {
    Metadata head = new Metadata();
    for (int i = 0; i < metadata.length; i += 2) {
      head.put(Metadata.Key.of(metadata[i], Metadata.ASCII_STRING_MARSHALLER), metadata[i + 1]);
    }
    MethodDescriptor<byte[], byte[]> descriptor = MethodDescriptor.newBuilder(Bytes.MARSHALLER, Bytes.MARSHALLER)
        .setType(MethodDescriptor.MethodType.UNARY).setFullMethodName(method).build();
    return ClientCalls.blockingUnaryCall(io.grpc.ClientInterceptors.intercept(channel,
        MetadataUtils.newAttachHeadersInterceptor(head)), descriptor, options, message);
  }

  static CallOptions soon() {
    return CallOptions.DEFAULT.withDeadlineAfter(Duration.ofSeconds(30));
  }

  byte[] call(String method, byte[] message) {
    return call(method, message, soon());
  }

  /** How a call fails. */
  Status failure(String method, byte[] message, CallOptions options, String... metadata) {
    try {
      call(method, message, options, metadata);
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  /** A request as Envoy describes it: {@code attributes(1).request(4).http(2)}. */
  static byte[] request(String method, String scheme, String host, String path, byte[] body, String... headers) {
    MessageWriter http = new MessageWriter().string(1, "4711").string(2, method);
    for (int i = 0; i < headers.length; i += 2) {
      http.message(3, new MessageWriter().string(1, headers[i]).string(2, headers[i + 1]));
    }
    http.string(4, path).string(5, host).string(6, scheme).number(9, body.length).string(10, "HTTP/1.1").bytes(12,
        body);
    return new MessageWriter().message(1, new MessageWriter().message(4, new MessageWriter().message(2, http))).bytes();
  }

  CheckResult check(String path, String... headers) {
    return CheckResult.of(call(CHECK, request("GET", "http", "shop.local", path, new byte[0], headers)));
  }

  /**
   * What Envoy makes of an answer.
   *
   * @param code 0 for allowed
   * @param status that the client gets, 0 where it is allowed
   * @param set by name what replaces a request's or is put into a denial; with a plus what is added; behind {@code
   *     answer:} what the upstream's answer gets
   */
  record CheckResult(long code, long status, Map<String, String> set, String removed, String body) {
    static CheckResult of(byte[] message) {
      try {
        return read(message);
      } catch (GrpcException e) {
        throw new AssertionError(e);
      }
    }

    private static CheckResult read(byte[] message) throws GrpcException {
      long code = 0;
      long status = 0;
      Map<String, String> set = new TreeMap<>();
      StringBuilder removed = new StringBuilder();
      String body = "";
      for (MessageReader response = new MessageReader(message); response.next();) {
        if (response.field() == 1) {
          code = only(response.bytes());
        }
        boolean ok = response.field() == 3;
        for (MessageReader part = response.message(); response.field() > 1 && part.next();) {
          switch (part.field()) {
            case 1 -> status = only(part.bytes());
            case 2 -> option(part.message(), set);
            case 6 -> {
              Map<String, String> answered = new TreeMap<>();
              option(part.message(), answered);
              answered.forEach((name, value) -> set.put("answer: " + name, value));
            }
            case 3 -> body = part.string();
            case 5 -> removed.append(ok ? part.string() + " " : "");
            default -> throw new AssertionError("field " + part.field());
          }
        }
      }
      return new CheckResult(code, status, set, removed.toString().strip(), body);
    }

    /** The one number of a message that has no other field, 0 where it is empty. */
    private static long only(byte[] message) {
      if (message.length == 0) {
        return 0;
      }
      if (message[0] != 1 << 3) {
        throw new AssertionError("not a number of field 1");
      }
      long out = 0;
      for (int i = 1; i < message.length; i++) {
        out |= (long) (message[i] & 0x7f) << 7 * (i - 1);
      }
      return out;
    }

    private static void option(MessageReader option, Map<String, String> set) throws GrpcException {
      String name = "";
      String value = "";
      boolean replaces = false;
      while (option.next()) {
        if (option.field() == 2) {
          replaces = option.bytes().length == 0;
          continue;
        }
        for (MessageReader header = option.message(); header.next();) {
          name = header.field() == 1 ? header.string() : name;
          value = header.field() == 2 ? header.string() : value;
        }
      }
      set.merge((replaces ? "" : "+") + name, value, (a, b) -> a + " & " + b);
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
