package portcullis.serve.service;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import portcullis.http.grpc.Call;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.message.Fields;
import portcullis.http.message.GrpcCall;
import portcullis.http.message.HasStatus;
import portcullis.http.message.RejectedRequest;
import portcullis.http.message.Response;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseMemory;

/** Serves unary gRPC methods. Thread safe. */
final class GrpcHandler implements Layer.Handler, AutoCloseable {
  /** A unary method. */
  interface Method {
    /**
     * Returns the response message.
     *
     * @throws GrpcException if the call fails with a status
     */
    byte[] answer(byte[] message, Transaction transaction, ValidRequest head) throws GrpcException;
  }

  /** The maximum size of a message: a body that a rule may read, and the head of the request around it. */
  private static final int MOST = 11 << 20;
  /** A message is copied once, as is the body in it; what else is in it takes several times its bytes. */
  private static final int COPIES = 2;
  private static final int PARSED = 6;
  private static final int SMALL = 1 << 16;
  private static final Fields HEAD = Fields.of("Content-Type", "application/grpc");

  private final Map<String, Method> methods;
  private final ParseMemory memory;
  private final CallDeadlines deadlines = new CallDeadlines();

  /** @param methods by path, as {@code /package.Service/Method} */
  GrpcHandler(Map<String, Method> methods) {
    this(methods, ParseMemory.PROCESS);
  }

  /** @param memory reserved for messages while they are read and answered */
  GrpcHandler(Map<String, Method> methods, ParseMemory memory) {
    this.methods = Map.copyOf(methods);
    this.memory = memory;
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    switch (transaction.arrival()) {
      case RejectedRequest refused -> {
        transaction.markFailed(refused.reason());
        transaction.answer(Response.of(refused.status()).with("Connection", "close"));
      }
      case ValidRequest incoming -> handle(transaction, incoming);
    }
  }

  /** Answers requests that are not gRPC calls with an HTTP status, and all others with 200 and a gRPC status. */
  private void handle(Transaction transaction, ValidRequest head) throws IOException {
    if (!head.method().equals("POST")) {
      refuse(transaction, Response.of(405).with("Allow", "POST"), "the method is not POST");
    } else if (!GrpcCall.is(head.fields())) {
      refuse(transaction, Response.of(415), "the content type is not application/grpc");
    } else if (!transaction.exchange().getProtocol().startsWith("HTTP/2")) {
      refuse(transaction, Response.of(505), "gRPC needs HTTP/2");
    } else {
      answer(transaction, head);
    }
  }

  private static void refuse(Transaction transaction, Response answer, String why) throws IOException {
    transaction.markFailed(why);
    transaction.answer(answer);
  }

  private void answer(Transaction transaction, ValidRequest head) throws IOException {
    try {
      byte[] answer = answered(transaction, head);
      transaction.setCallStatus(Code.OK);
      if (transaction.code().isEmpty()) {
        transaction.setCode(Code.OK);
      }
      transaction.reply().send(new Response(200, HEAD, Call.framed(answer)), Fields.of("grpc-status", "0"));
    } catch (GrpcException error) {
      transaction.setCallStatus(error.code());
      transaction.setCode(error.code());
      transaction.markFailed(error.getMessage());
      Fields fields = HEAD.with("grpc-accept-encoding", "identity");
      transaction.reply().send(Response.of(200, fields).with(error.fields().lines()), Fields.NONE);
    } catch (IOException e) {
      if (!(e instanceof HasStatus late)) {
        throw e;
      }
      refuse(transaction, Response.of(late.status()), e.getMessage());
    }
  }

  private byte[] answered(Transaction transaction, ValidRequest head) throws GrpcException, IOException {
    String path = head.target() instanceof Target.Resource resource ? resource.path() : "*";
    Optional<Method> method = Optional.ofNullable(methods.get(path));
    if (method.isEmpty()) {
      throw new GrpcException(Code.UNIMPLEMENTED, "unknown service or method");
    }
    Optional<Duration> time = Call.timeout(head.fields());
    try (ParseMemory.Lease lease = memory.lease(transaction.client())) {
      byte[] message = message(head, lease);
      if (time.isEmpty()) {
        return method.get().answer(message, transaction, head);
      }
      return deadlines.within(time.get(), transaction, () -> method.get().answer(message, transaction, head));
    }
  }

  private static byte[] message(ValidRequest head, ParseMemory.Lease lease) throws GrpcException, IOException {
    try {
      byte[] message = Call.message(head.fields(), new CountedBody(head.content().stream(), lease, COPIES), MOST);
      if (message.length > SMALL) {
        lease.reserve((long) PARSED * Math.min(message.length, CheckRequest.MOST_HEAD));
      }
      return message;
    } catch (CountedBody.NoMemory | BudgetExceededException e) {
      throw new GrpcException(Code.RESOURCE_EXHAUSTED, e.getMessage());
    }
  }

  @Override
  public void close() {
    deadlines.close();
  }
}
