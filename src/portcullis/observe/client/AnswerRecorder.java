package portcullis.observe.client;

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
import portcullis.observe.decisions.RemoteAnswers;

/** A client that records responses for the decision log when their bodies have been read. Thread safe. */
public final class AnswerRecorder extends BaseClient {
  private final HttpClient inner;

  public AnswerRecorder(HttpClient inner) {
    this.inner = inner;
  }

  @Override
  public int places(WireRequest request) {
    return places(inner, request);
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    HttpResponse<T> response = inner.send(request, handler);
    Optional<RemoteAnswers> answers = RemoteAnswers.current();
    return answers.isPresent() && request instanceof WireRequest wire ? recorded(wire, response, answers.get())
        : response;
  }

  @SuppressWarnings("unchecked") // an InputStream replaces an InputStream
  private static <T> HttpResponse<T> recorded(WireRequest request, HttpResponse<T> response, RemoteAnswers answers) {
    if (!(response instanceof WireResponse && response.body() instanceof InputStream body)) {
      return response;
    }
    String url = request.parts().origin().getScheme() + "://" + request.parts().origin().getRawAuthority()
        + request.parts().target();
    return (HttpResponse<T>) new ObservedResponse(response, new Copied(body, answers.room(),
        bytes -> answers.add(request.method(), url, response.statusCode(), response.headers().map(), bytes)));
  }

  /** What is done with the bytes. */
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
