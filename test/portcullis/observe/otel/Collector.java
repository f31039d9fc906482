package portcullis.observe.otel;

import com.sun.net.httpserver.HttpServer;
import io.grpc.HandlerRegistry;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerMethodDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.GZIPInputStream;
import portcullis.fixture.ProtoReader;

/** A collector of OTLP; messages are kept as they come. */
public final class Collector implements AutoCloseable {
  private static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
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
  };

  private final List<byte[]> traces = new CopyOnWriteArrayList<>();
  private final List<byte[]> logs = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private final List<byte[]> metrics = new CopyOnWriteArrayList<>();
  private String url = "";
  private Runnable end = () -> {};

  private Collector() {}

  public static Collector of(String protocol) throws IOException {
    Collector out = new Collector();
    if (protocol.equals("grpc")) {
      out.grpc();
    } else {
      out.http();
    }
    return out;
  }

  private void http() throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      try (exchange;
          InputStream in = zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
        String path = exchange.getRequestURI().getPath();
        byte[] message = in.readAllBytes();
        if (status == 200) {
          (path.equals("/v1/traces") ? traces : path.equals("/v1/logs") ? logs : metrics).add(message);
        }
        exchange.sendResponseHeaders(status, -1);
      }
    });
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
    end = () -> server.stop(0);
  }

  private void grpc() throws IOException {
    Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
        .fallbackHandlerRegistry(new HandlerRegistry() {
          @Override
          public ServerMethodDefinition<byte[], byte[]> lookupMethod(String name, String authority) {
            MethodDescriptor<byte[], byte[]> method = MethodDescriptor.newBuilder(BYTES, BYTES).setFullMethodName(name)
                .setType(MethodDescriptor.MethodType.UNARY).build();
            return ServerMethodDefinition.create(method, ServerCalls.asyncUnaryCall((message, answer) -> {
              (name.contains("TraceService") ? traces : name.contains("LogsService") ? logs : metrics).add(message);
              answer.onNext(new byte[0]);
              answer.onCompleted();
            }));
          }
        }).build().start();
    url = "http://127.0.0.1:" + server.getPort();
    end = server::shutdownNow;
  }

  /** Answers all further messages with this status, and keeps them only if it is 200. */
  void answer(int code) {
    status = code;
  }

  /** The log records that came: event name and body. */
  List<String> records() {
    List<String> out = new ArrayList<>();
    logs.forEach(raw -> ProtoReader.read(raw).messages(1).forEach(resource -> resource.messages(2).forEach(
        scope -> scope.messages(2)
            .forEach(one -> out.add(one.text(12) + " " + one.messages(5).getFirst().text(1))))));
    return out;
  }

  public String url() {
    return url;
  }

  /** The spans that came, by ResourceSpans and ScopeSpans. */
  public List<ProtoReader> spans() {
    List<ProtoReader> out = new ArrayList<>();
    traces.forEach(raw -> ProtoReader.read(raw).messages(1)
        .forEach(resource -> resource.messages(2).forEach(scope -> out.addAll(scope.messages(2)))));
    return out;
  }

  /** The name of the service that the spans are of. */
  String service() {
    return ProtoReader.read(traces.getFirst()).messages(1).getFirst().messages(1).getFirst().messages(1).stream()
        .filter(pair -> pair.text(1).equals("service.name")).map(pair -> pair.messages(2).getFirst().text(1))
        .findFirst().orElse("");
  }

  /** As they were last told, by name. */
  Map<String, ProtoReader> metrics() {
    Map<String, ProtoReader> out = new LinkedHashMap<>();
    metrics.forEach(raw -> ProtoReader.read(raw).messages(1).forEach(resource -> resource.messages(2)
        .forEach(scope -> scope.messages(2).forEach(metric -> out.put(metric.text(1), metric)))));
    return out;
  }

  @Override
  public void close() {
    end.run();
  }
}
