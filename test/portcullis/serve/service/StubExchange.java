package portcullis.serve.service;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.http.message.Fields;
import portcullis.http.message.Target;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireExchange;

/** An exchange without a connection: what is sent is kept, and what waits goes on when a test lets it. */
class StubExchange extends HttpExchange implements WireExchange {
  final ByteArrayOutputStream sent = new ByteArrayOutputStream();
  int status;
  Fields answered = Fields.NONE;
  int aborts;
  int wakes;
  boolean maySuspend;
  /** How often it is asked in vain whether it can pause. */
  int refusals;
  private Optional<Continuation> rest = Optional.empty();

  /** Goes on with what was suspended. */
  Continuation rest() {
    return rest.orElseThrow();
  }

  @Override
  public Headers getRequestHeaders() {
    return new Headers();
  }

  @Override
  public Headers getResponseHeaders() {
    return new Headers();
  }

  @Override
  public URI getRequestURI() {
    return URI.create("/x");
  }

  @Override
  public String getRequestMethod() {
    return "GET";
  }

  @Override
  public HttpContext getHttpContext() {
    throw new UnsupportedOperationException("not of a server");
  }

  @Override
  public void close() {}

  @Override
  public InputStream getRequestBody() {
    return InputStream.nullInputStream();
  }

  @Override
  public OutputStream getResponseBody() {
    return sent;
  }

  @Override
  public void sendResponseHeaders(int code, long length) {
    throw new UnsupportedOperationException("`respond` is called instead");
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
  }

  @Override
  public int getResponseCode() {
    return status;
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 2);
  }

  @Override
  public String getProtocol() {
    return "HTTP/1.1";
  }

  @Override
  public Object getAttribute(String name) {
    throw new UnsupportedOperationException("it has no attributes");
  }

  @Override
  public void setAttribute(String name, Object value) {
    throw new UnsupportedOperationException("it has no attributes");
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    throw new UnsupportedOperationException("its streams stay");
  }

  @Override
  public HttpPrincipal getPrincipal() {
    throw new UnsupportedOperationException("nobody has logged in");
  }

  @Override
  public String client() {
    return "127.0.0.1";
  }

  @Override
  public String target() {
    return "/x";
  }

  @Override
  public Fields fields() {
    return Fields.of("Host", "a.test");
  }

  @Override
  public Target parsedTarget() {
    return new Target.Resource("/x", "");
  }

  @Override
  public Optional<Authority> host() {
    return Authority.parse("a.test");
  }

  @Override
  public Fields trailers() {
    return Fields.NONE;
  }

  @Override
  public void respond(int code, Fields fields, long length) {
    status = code;
    answered = fields;
  }

  @Override
  public void inform(int code, Fields fields) {
    throw new UnsupportedOperationException("no interim answers");
  }

  @Override
  public Tunnel upgrade(Fields fields) {
    throw new UnsupportedOperationException("no upgrades");
  }

  @Override
  public void trail(Fields trailers) {
    throw new UnsupportedOperationException("no trailers");
  }

  @Override
  public byte[] room() {
    return new byte[16 << 10];
  }

  @Override
  public void recycle(byte[] room) {}

  @Override
  public void abort() {
    aborts++;
  }

  @Override
  public boolean maySuspend() {
    return maySuspend;
  }

  @Override
  public boolean canPause() {
    return refusals-- <= 0;
  }

  @Override
  public Runnable suspend(Continuation work) {
    rest = Optional.of(work);
    return () -> wakes++;
  }
}
