package portcullis.http.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import portcullis.http.message.Authority;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.message.RunningResponse;
import portcullis.http.message.Target;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireExchange;
import portcullis.http.wire.RequestHead;

/**
 * An exchange of any HTTP version on clear text; {@link Headers} and {@link URI} are made on first use.
 */
final class Exchange extends HttpExchange implements WireExchange {
  private final RequestHead head;
  private final String protocol;
  private final Connection connection;
  private final Carrier carrier;
  private final HttpContext context;
  private final ResponseBody out = new ResponseBody();
  private Optional<Headers> requestHeaders = Optional.empty();
  private Optional<Headers> responseHeaders = Optional.empty();
  private Optional<InputStream> replacedIn = Optional.empty();
  private Optional<OutputStream> replacedOut = Optional.empty();
  private Optional<HttpPrincipal> principal = Optional.empty();
  private Map<String, Object> attributes = Map.of();
  private Optional<Suspended> suspended = Optional.empty();
  private int status = -1;
  private boolean closed;
  private boolean lengthDeclared;

  /** What goes on with an exchange without an answer whose handler has returned. */
  record Suspended(Suspension suspension, Continuation rest) {}

  Exchange(RequestHead head, String protocol, Connection connection, Carrier carrier, HttpContext context) {
    this.head = head;
    this.protocol = protocol;
    this.connection = connection;
    this.carrier = carrier;
    this.context = context;
  }

  // --- the request

  @Override
  public String client() {
    return connection.client();
  }

  @Override
  public String target() {
    return head.target();
  }

  @Override
  public Target parsedTarget() {
    return carrier.check().target();
  }

  @Override
  public Optional<Authority> host() {
    return carrier.check().host();
  }

  @Override
  public Fields fields() {
    return head.fields();
  }

  @Override
  public OptionalLong length() {
    return carrier.length();
  }

  @Override
  public Fields trailers() {
    return carrier.trailers();
  }

  RequestHead head() {
    return head;
  }

  Connection connection() {
    return connection;
  }

  @Override
  public String getRequestMethod() {
    return head.method();
  }

  @Override
  public URI getRequestURI() {
    return RequestUri.of(head.target());
  }

  @Override
  public String getProtocol() {
    return protocol;
  }

  @Override
  public Headers getRequestHeaders() {
    if (requestHeaders.isEmpty()) {
      Headers made = new Headers();
      head.fields().forEach(line -> made.add(line.name(), line.value()));
      requestHeaders = Optional.of(Headers.of(made));
    }
    return requestHeaders.get();
  }

  @Override
  public InputStream getRequestBody() {
    return replacedIn.isPresent() ? replacedIn.get() : carrier.body();
  }

  // --- the answer

  @Override
  public Headers getResponseHeaders() {
    if (responseHeaders.isEmpty()) {
      responseHeaders = Optional.of(new Headers());
    }
    return responseHeaders.get();
  }

  @Override
  public void sendResponseHeaders(int code, long length) throws IOException {
    List<Field> lines = new ArrayList<>();
    responseHeaders.ifPresent(h -> h.forEach((name, values) -> values.forEach(v -> lines.add(new Field(name, v)))));
    respond(code, Fields.of(lines), length == 0 ? -1 : Math.max(length, 0));
  }

  @Override
  public void respond(int code, Fields fields, long length) throws IOException {
    if (status != -1) {
      throw new IOException("headers already sent");
    }
    if (code < 200 || code > 999) {
      throw new IllegalArgumentException("no status of a final answer");
    }
    status = code;
    lengthDeclared = length >= 0;
    try {
      out.target = Optional.of(carrier.respond(code, fields, length));
    } catch (IllegalArgumentException e) {
      status = -1;
      throw e;
    }
  }

  @Override
  public int getResponseCode() {
    return status;
  }

  @Override
  public OutputStream getResponseBody() {
    return replacedOut.orElse(out);
  }

  @Override
  public void trail(Fields trailers) {
    carrier.trail(trailers);
  }

  @Override
  public byte[] room() {
    return connection.spares().take();
  }

  @Override
  public void recycle(byte[] room) {
    connection.spares().give(room);
  }

  @Override
  public void inform(int code, Fields fields) throws IOException {
    if (code < 102 || code > 199) {
      throw new IllegalArgumentException("no status of an interim answer");
    }
    if (status != -1) {
      throw new IOException("headers already sent");
    }
    carrier.inform(code, fields);
  }

  @Override
  public Tunnel upgrade(Fields fields) throws IOException {
    if (status != -1) {
      throw new IOException("headers already sent");
    }
    Tunnel tunnel = carrier.upgrade(fields);
    status = 101;
    return tunnel;
  }

  @Override
  public void allowPauses() {
    carrier.allowPauses();
  }

  @Override
  public void watchClient(Runnable left) {
    carrier.watchClient(left);
  }

  @Override
  public boolean maySuspend() {
    return replacedIn.isEmpty() && replacedOut.isEmpty() && carrier.maySuspend();
  }

  @Override
  public Runnable suspend(Continuation rest) {
    Suspension begun = new Suspension();
    suspended = Optional.of(new Suspended(begun, rest));
    return begun::wake;
  }

  /** Ends the suspension, and returns what it was; empty if it has not been suspended. */
  Optional<Suspended> resume() {
    Optional<Suspended> out = suspended;
    suspended = Optional.empty();
    return out;
  }

  boolean isSuspended() {
    return suspended.isPresent();
  }

  /** Other streams may hold back what they have been given. */
  @Override
  public boolean mayPause() {
    return replacedOut.isEmpty() && carrier.mayPause();
  }

  @Override
  public boolean canPause() {
    return carrier.canPause();
  }

  @Override
  public RunningResponse pause(PausableBody source, Consumer<Boolean> action) {
    return carrier.pause(source, action);
  }

  @Override
  public void abort() {
    carrier.abort();
  }

  /** Returns whether a final answer has been begun. */
  boolean isAnswered() {
    return status != -1;
  }

  /** Where the answer's body goes once there is one; before, a filter may already wrap it. */
  private static final class ResponseBody extends OutputStream {
    private Optional<OutputStream> target = Optional.empty();

    private OutputStream target() throws IOException {
      return target.orElseThrow(() -> new IOException("response headers not sent yet"));
    }

    @Override
    public void write(int octet) throws IOException {
      target().write(octet);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      target().write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      target().flush();
    }

    @Override
    public void close() throws IOException {
      target().close();
    }
  }

  // --- around it

  @Override
  public HttpContext getHttpContext() {
    return context;
  }

  /**
   * Sends an answer of a known length. One of an unknown length ends when the handler returns, and does not when it
   * throws: closing the exchange on the way out must not make half an answer look whole.
   */
  @Override
  public void close() {
    closed = true;
    try {
      if (lengthDeclared && isAnswered() && status != 101) {
        getResponseBody().flush();
      }
    } catch (IOException e) {
      // the client has gone
    }
  }

  /** Ends the answer's body if the handler closed the exchange and not the body. */
  void end() throws IOException {
    if (closed && status != 101) {
      getResponseBody().close();
    }
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return connection.peer();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return connection.local();
  }

  @Override
  public Object getAttribute(String name) {
    return attributes.get(name);
  }

  /** Sets an attribute of this exchange alone; in the JDK's server attributes belong to the context. */
  @Override
  public void setAttribute(String name, Object value) {
    attributes = attributes.isEmpty() ? new HashMap<>(4) : attributes;
    attributes.put(name, value);
  }

  @Override
  public void setStreams(InputStream in, OutputStream output) {
    replacedIn = Optional.ofNullable(in).or(() -> replacedIn);
    replacedOut = Optional.ofNullable(output).or(() -> replacedOut);
  }

  @Override
  public HttpPrincipal getPrincipal() {
    return principal.orElse(null);
  }

  void principal(HttpPrincipal known) {
    principal = Optional.of(known);
  }
}
