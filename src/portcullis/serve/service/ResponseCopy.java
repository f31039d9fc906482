package portcullis.serve.service;

import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.ResponseWriter;
import portcullis.observe.telemetry.MessageCopy;

/** Keeps a copy of the response to one request for the message dump. For the thread of the request. */
final class ResponseCopy implements ResponseWriter.Listener {
  private Optional<MessageCopy> copy = Optional.empty();

  @Override
  public void head(int status, Fields fields) {
    copy = Optional.of(new MessageCopy("HTTP/1.1 " + status, fields));
  }

  @Override
  public void body(byte[] bytes, int length) {
    copy.ifPresent(c -> c.body(bytes, 0, length));
  }

  String text() {
    return copy.map(MessageCopy::toString).orElse("none");
  }
}
