package portcullis.http.server;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import portcullis.http.message.Authority;
import portcullis.http.message.Fields;
import portcullis.http.message.PausableBody;
import portcullis.http.message.RunningResponse;
import portcullis.http.message.Target;
import portcullis.http.message.Tunnel;
import portcullis.http.message.WireExchange;

/** An exchange in TLS: delegates to one on clear text and adds the session, as the API requires. */
final class SecureExchange extends HttpsExchange implements WireExchange {
  private final Exchange plain;
  private final SSLSession session;

  SecureExchange(Exchange plain, SSLSession session) {
    this.plain = plain;
    this.session = session;
  }

  @Override
  public SSLSession getSSLSession() {
    return session;
  }

  @Override
  public String client() {
    return plain.client();
  }

  @Override
  public String target() {
    return plain.target();
  }

  @Override
  public Target parsedTarget() {
    return plain.parsedTarget();
  }

  @Override
  public Optional<Authority> host() {
    return plain.host();
  }

  @Override
  public Fields fields() {
    return plain.fields();
  }

  @Override
  public OptionalLong length() {
    return plain.length();
  }

  @Override
  public Fields trailers() {
    return plain.trailers();
  }

  @Override
  public void respond(int status, Fields fields, long length) throws IOException {
    plain.respond(status, fields, length);
  }

  @Override
  public byte[] room() {
    return plain.room();
  }

  @Override
  public void recycle(byte[] room) {
    plain.recycle(room);
  }

  @Override
  public void trail(Fields trailers) {
    plain.trail(trailers);
  }

  @Override
  public void inform(int status, Fields fields) throws IOException {
    plain.inform(status, fields);
  }

  @Override
  public Tunnel upgrade(Fields fields) throws IOException {
    return plain.upgrade(fields);
  }

  @Override
  public void allowPauses() {
    plain.allowPauses();
  }

  @Override
  public void watchClient(Runnable left) {
    plain.watchClient(left);
  }

  @Override
  public boolean maySuspend() {
    return plain.maySuspend();
  }

  @Override
  public Runnable suspend(Continuation rest) {
    return plain.suspend(rest);
  }

  @Override
  public boolean mayPause() {
    return plain.mayPause();
  }

  @Override
  public boolean canPause() {
    return plain.canPause();
  }

  @Override
  public RunningResponse pause(PausableBody source, Consumer<Boolean> action) {
    return plain.pause(source, action);
  }

  @Override
  public void abort() {
    plain.abort();
  }

  @Override
  public Headers getRequestHeaders() {
    return plain.getRequestHeaders();
  }

  @Override
  public Headers getResponseHeaders() {
    return plain.getResponseHeaders();
  }

  @Override
  public URI getRequestURI() {
    return plain.getRequestURI();
  }

  @Override
  public String getRequestMethod() {
    return plain.getRequestMethod();
  }

  @Override
  public HttpContext getHttpContext() {
    return plain.getHttpContext();
  }

  @Override
  public void close() {
    plain.close();
  }

  @Override
  public InputStream getRequestBody() {
    return plain.getRequestBody();
  }

  @Override
  public OutputStream getResponseBody() {
    return plain.getResponseBody();
  }

  @Override
  public void sendResponseHeaders(int status, long length) throws IOException {
    plain.sendResponseHeaders(status, length);
  }

  @Override
  public InetSocketAddress getRemoteAddress() {
    return plain.getRemoteAddress();
  }

  @Override
  public int getResponseCode() {
    return plain.getResponseCode();
  }

  @Override
  public InetSocketAddress getLocalAddress() {
    return plain.getLocalAddress();
  }

  @Override
  public String getProtocol() {
    return plain.getProtocol();
  }

  @Override
  public Object getAttribute(String name) {
    return plain.getAttribute(name);
  }

  @Override
  public void setAttribute(String name, Object value) {
    plain.setAttribute(name, value);
  }

  @Override
  public void setStreams(InputStream in, OutputStream out) {
    plain.setStreams(in, out);
  }

  @Override
  public HttpPrincipal getPrincipal() {
    return plain.getPrincipal();
  }
}
