package portcullis.serve.service;

import java.io.InputStream;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.http.message.ValidRequest;

/** Responds to requests for the console, whoever sends them: it checks that itself. Thread safe. */
public interface ConsoleEndpoint extends AutoCloseable {
  /** The path below which all of it is. */
  String PATH = "/console";

  /** A response. */
  sealed interface Answer {}

  /** A response that is sent at once. */
  record Whole(Response response) implements Answer {}

  /**
   * A response whose body comes bit by bit.
   *
   * @param body closed by who sends it
   */
  record Live(Fields fields, InputStream body) implements Answer {}

  Answer answer(ValidRequest incoming);

  /** Ends the responses that are being sent. */
  @Override
  void close();
}
