package portcullis.observe.client;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import portcullis.http.client.BaseClient;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.observe.decisions.CallKey;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.observe.decisions.SharedAnswers;

/**
 * A client that records responses for the decision log and shadow rules when their bodies have been read. Thread safe.
 */
public final class AnswerRecorder extends BaseClient {
  private final HttpClient inner;
  private final SharedAnswers shared;

  /** @param shared responses that do not depend on a request */
  public AnswerRecorder(HttpClient inner, SharedAnswers shared) {
    this.inner = inner;
    this.shared = shared;
  }

  @Override
  public int places(WireRequest request) {
    return places(inner, request);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    Optional<RemoteAnswers> answers = RemoteAnswers.current();
    boolean isShared = SharedAnswers.isCurrent();
    if (answers.isEmpty() && !isShared || !(request instanceof WireRequest wire)) {
      return inner.send(request, handler);
    }
    String url = wire.parts().origin().getScheme() + "://" + wire.parts().origin().getRawAuthority()
        + wire.parts().target();
    String key = key(wire, url);
    int room = answers.map(RemoteAnswers::room).orElse(RemoteAnswers.MAX_BYTES);
    HttpResponse<T> response = inner.send(request, handler);
    return recorded(response, room, bytes -> {
      answers.ifPresent(all -> all.add(wire.method(), url, key, response.statusCode(), response.headers().map(),
          bytes));
      if (isShared && response.statusCode() == 200 && !key.isEmpty() && bytes.length <= room) {
        shared.add(new RemoteAnswers.Answer("", wire.method(), url, key, 200, response.headers().map(), bytes));
      }
    });
  }

  /** Returns the key of a call; empty if its body can be read only once. */
  private static String key(WireRequest request, String url) throws IOException {
    if (!(request.parts().body() instanceof ByteArrayInputStream body)) {
      return "";
    }
    byte[] bytes = body.readAllBytes();
    body.reset();
    return CallKey.of(request.method(), url, request.parts().fields(), bytes);
  }

  @SuppressWarnings("unchecked") // an InputStream replaces an InputStream
  private static <T> HttpResponse<T> recorded(HttpResponse<T> response, int room, Use use) {
    if (!(response instanceof WireResponse && response.body() instanceof InputStream body)) {
      return response;
    }
    return (HttpResponse<T>) new ObservedResponse(response, new Copied(body, room, use));
  }

  /** Receives the bytes. */
  private interface Use {
    void of(byte[] bytes);
  }

  /** Copies what is read; used when it is closed. For one thread. */
  private static final class Copied extends FilterInputStream {
    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
    private final int most;
    private final Use use;
    private boolean used;

    Copied(InputStream in, int most, Use use) {
      super(in);
      this.most = most;
      this.use = use;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int count = in.read(bytes, from, length);
      if (count > 0 && copy.size() <= most) { // one that is too long is longer than the room, and so not recorded
        copy.write(bytes, from, count);
      }
      return count;
    }

    @Override
    public void close() throws IOException {
      in.close();
      if (!used) {
        used = true;
        use.of(copy.toByteArray());
      }
    }
  }
}
