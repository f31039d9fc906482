package portcullis.serve.service;

import java.util.Optional;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.message.Body;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.NameSet;
import portcullis.http.message.ReportedRequest;
import portcullis.http.message.Request;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.UnreadableBodyException;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.ParseBudget;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.FailureKind;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.YamlFormat;

/**
 * Implements Envoy's external authorization. Every well-formed request gets a response, even after an internal error:
 * if a call fails, Envoy may be configured to allow the request. Thread safe.
 */
final class CheckMethod implements GrpcHandler.Method {
  static final String SERVICE = "envoy.service.auth.v3.Authorization";
  static final String PATH = "/" + SERVICE + "/Check";

  private final Decider decider;
  private final TrustedProxies proxies;
  private final NameSet stripped;
  private final ErrorResponses errors;
  private final ParseBudget bodies;
  private final Log log;

  CheckMethod(Decider decider, ListenerSettings settings, ErrorResponses errors, Log log) {
    this.decider = decider;
    this.proxies = settings.proxies();
    this.stripped = settings.stripped();
    this.errors = errors;
    this.bodies = settings.limits().bodies();
    this.log = log;
  }

  @Override
  public byte[] answer(byte[] message, Transaction transaction, ValidRequest head) throws GrpcException {
    ReportedRequest described = identified(CheckRequest.read(message), transaction, head);
    try {
      return decide(described, transaction, head);
    } catch (ResponseStatusException refusal) {
      transaction.markRefused(refusal.getMessage());
      return denied(new Failure.Precondition(refusal.getMessage()), described.fields(), transaction);
    } catch (UnreadableBodyException e) {
      transaction.markDenied(e.getMessage());
      Code code = e.status() == 503 ? Code.RESOURCE_EXHAUSTED : Code.INVALID_ARGUMENT;
      transaction.setCode(code);
      return denied(code, Response.of(e.status()), transaction);
    } catch (OutOfMemoryError e) {
      Recovery.logError(log, e);
      transaction.markDenied("out of memory");
      transaction.setCode(Code.RESOURCE_EXHAUSTED);
      return denied(Code.RESOURCE_EXHAUSTED, Response.of(503), transaction);
    } catch (RuntimeException | StackOverflowError e) {
      Recovery.logError(log, e);
      return denied(new Failure.Internal("runtime error occurred"), described.fields(), transaction);
    }
  }

  /**
   * Returns the request with the id of the call, or with its own if a trusted proxy has given it one. The log lines
   * keep the id of the call, which {@code TX started} had, and {@code TX finished} has both.
   */
  private ReportedRequest identified(ReportedRequest described, Transaction transaction, ValidRequest head) {
    if (transaction.id().isEmpty()) {
      return described;
    }
    Optional<String> own = proxies.trusts(head.peer()) ? RequestIds.received(described.fields()) : Optional.empty();
    own.ifPresent(id -> transaction.identify(new Field(RequestIds.HEADER, id)));
    return described.with(RequestIds.replaced(described.fields(), transaction.id()));
  }

  private byte[] decide(ReportedRequest described, Transaction transaction, ValidRequest head)
      throws ResponseStatusException {
    Request request = described.with(DebugRequests.without(described.fields()))
        .request(head.fields(), proxies.trusts(head.peer()), bodies, YamlFormat::orOther);
    Decision decision;
    try (Body _ = request.body()) {
      decision = decider.decide(request, transaction.observer());
    }
    switch (decision) {
      case Decision.Own(Response answer, String error) -> {
        if (!error.isEmpty()) {
          transaction.markFailed(error);
        }
        transaction.setCode(Code.UNAUTHENTICATED);
        return denied(Code.UNAUTHENTICATED, answer, transaction);
      }
      case Decision.Allow allow -> {
        transaction.decided(allow);
        log.debug("Finalizing request");
        byte[] answer = CheckResponse.allowed(allow, described.fields(), stripped, transaction.id());
        transaction.markAllowed(allow.subject());
        return answer;
      }
      case Decision.Refuse refuse -> {
        transaction.decided(refuse);
        Failure failure = refuse.stepFailure().failure();
        if (refuse.answer().isEmpty()) {
          return denied(failure, described.fields(), transaction);
        }
        Response answer = errors.ofCheck(refuse, described.fields());
        return denied(failure, code(answer.status(), failure), answer, transaction);
      }
    }
  }

  private byte[] denied(Failure failure, Fields request, Transaction transaction) {
    return denied(failure, code(failure), errors.ofCheck(failure, request), transaction);
  }

  private static byte[] denied(Failure failure, Code code, Response answer, Transaction transaction) {
    transaction.markDenied(failure.report());
    transaction.setCode(code);
    return denied(code, answer, transaction);
  }

  private static byte[] denied(Code code, Response answer, Transaction transaction) {
    Fields fields = RequestIds.replaced(answer.fields(), transaction.id());
    return CheckResponse.denied(code, new Response(answer.status(), fields, answer.body()));
  }

  /** Returns the code for the response of an error handler, which is more specific than the failure. */
  private static Code code(int status, Failure failure) {
    return status / 100 == 3 ? Code.FAILED_PRECONDITION : status == 401 ? Code.UNAUTHENTICATED : code(failure);
  }

  private static Code code(Failure failure) {
    return switch (FailureKind.of(failure)) {
      case EXHAUSTED, TOO_MANY_REQUESTS -> Code.RESOURCE_EXHAUSTED;
      case UNAVAILABLE -> Code.UNAVAILABLE;
      case AUTHENTICATION -> Code.UNAUTHENTICATED;
      case AUTHORIZATION -> Code.PERMISSION_DENIED;
      case COMMUNICATION -> Code.DEADLINE_EXCEEDED;
      case PRECONDITION -> Code.INVALID_ARGUMENT;
      case NO_RULE -> Code.NOT_FOUND;
      case INTERNAL -> Code.INTERNAL;
    };
  }
}
