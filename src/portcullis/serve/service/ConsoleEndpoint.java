package portcullis.serve.service;

import java.io.InputStream;
import java.util.function.Function;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.http.message.ValidRequest;
import portcullis.serve.stream.LiveStream;

/** Responds to requests for the console, and checks itself who may use it. Thread safe. */
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
   * @param registered registers it, with what breaks it off, so that it ends with the credential of its reader
   */
  record Live(Fields fields, InputStream body, Function<Runnable, LiveStream> registered) implements Answer {}

  Answer answer(ValidRequest incoming);

  /** Ends the responses that are being sent. */
  @Override
  void close();
}
