package portcullis.serve.service;

import java.util.List;
import java.util.function.BooleanSupplier;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.grpc.MessageReader;
import portcullis.http.grpc.MessageWriter;
import portcullis.http.message.Incoming;

/** Tells whether calls are served ({@code grpc.health.v1.Health/Check}); watching it is not served. Thread safe. */
final class HealthMethod implements GrpcHandler.Method {
  static final String PATH = "/grpc.health.v1.Health/Check";
  private static final int SERVING = 1;
  private static final int NOT_SERVING = 2;
  /** The server as a whole, and what there is on it. */
  private static final List<String> KNOWN = List.of("", CheckMethod.SERVICE, "grpc.health.v1.Health");

  private final BooleanSupplier ready;

  HealthMethod(BooleanSupplier ready) {
    this.ready = ready;
  }

  /** {@code service = 1} of the question, {@code status = 1} of the answer. */
  @Override
  public byte[] answer(byte[] message, Transaction transaction, Incoming head) throws GrpcException {
    String service = "";
    for (MessageReader question = new MessageReader(message); question.next();) {
      service = question.field() == 1 ? question.string() : service;
    }
    if (!KNOWN.contains(service)) {
      throw new GrpcException(Code.NOT_FOUND, "unknown service");
    }
    return new MessageWriter().number(1, ready.getAsBoolean() ? SERVING : NOT_SERVING).bytes();
  }
}
