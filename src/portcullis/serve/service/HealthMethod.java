package portcullis.serve.service;

import java.util.List;
import java.util.function.BooleanSupplier;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.grpc.MessageReader;
import portcullis.http.grpc.MessageWriter;
import portcullis.http.message.ValidRequest;

/**
 * Answers health checks ({@code grpc.health.v1.Health/Check}); {@code Watch} is UNIMPLEMENTED, which makes clients
 * use Check. Thread safe.
 */
final class HealthMethod implements GrpcHandler.Method {
  static final String PATH = "/grpc.health.v1.Health/Check";
  private static final int SERVING = 1;
  private static final int NOT_SERVING = 2;
  /** The services that can be checked; the empty name is the server as a whole. */
  private static final List<String> KNOWN = List.of("", CheckMethod.SERVICE, "grpc.health.v1.Health");

  private final BooleanSupplier ready;

  HealthMethod(BooleanSupplier ready) {
    this.ready = ready;
  }

  /** Decodes {@code service = 1} and encodes {@code status = 1}. */
  @Override
  public byte[] answer(byte[] message, Transaction transaction, ValidRequest head) throws GrpcException {
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
