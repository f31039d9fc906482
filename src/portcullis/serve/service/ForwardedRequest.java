package portcullis.serve.service;

import java.io.IOException;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.http.message.ResponseWriter;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.mechanism.Failure;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.LiveStream;
import portcullis.serve.stream.StreamControl;
import portcullis.serve.stream.StreamKind;
import portcullis.serve.stream.StreamRegistry;

/**
 * A request at its upstream, which other threads may end. Before its response has begun, its own thread then refuses
 * it; afterwards the response is aborted, so that the client does not take a part of it for all of it, but not before
 * its head has been sent: a client always gets a response.
 */
final class ForwardedRequest implements StreamControl {
  private static final String GONE = "the client has gone";
  static final String STOPPED = "ended: the service stops";

  private final ResponseWriter reply;
  private final ClientPresence presence;
  private final LiveStream stream;
  private boolean begun;
  private boolean headSent;
  private boolean ended;

  /** Registers a request. */
  ForwardedRequest(Transaction transaction, Decision.Allow allow, ClientPresence presence, StreamRegistry streams,
      StreamKind kind) {
    this.reply = transaction.reply();
    this.presence = presence;
    this.stream = streams.open(kind, allow, this);
    reply.onHeadSent(this::headSent);
  }

  ClientPresence presence() {
    return presence;
  }

  LiveStream stream() {
    return stream;
  }

  /** Begins the response; returns false if the request has been ended, and is to be refused. */
  synchronized boolean begin() {
    begun = !ended;
    return begun;
  }

  @Override
  public void end(EndReason reason) {
    boolean aborts;
    synchronized (this) {
      ended = true;
      aborts = begun;
      if (begun && !headSent) {
        return; // until it is
      }
    }
    end(aborts);
  }

  private void end(boolean aborts) {
    presence.leave();
    if (aborts) {
      reply.abort();
    }
  }

  private void headSent() {
    boolean ends;
    synchronized (this) {
      headSent = true;
      ends = ended;
    }
    if (ends) {
      end(true);
    }
  }

  @Override
  public void kill() {
    reply.abort();
  }

  /** Returns why it was given up; empty if it was not. */
  Optional<String> failure() {
    return failure(stream).or(() -> presence.hasLeft() ? Optional.of(GONE) : Optional.empty());
  }

  /** Returns how its upstream has failed; empty if it has not. */
  private Optional<String> upstreamFailure(ResponseWriter.End end) {
    Optional<String> failed = presence.failure()
        .or(() -> failure().isEmpty() ? Optional.of(ClientPresence.BROKE_OFF) : Optional.empty());
    return end == ResponseWriter.End.SOURCE_FAILED && failure(stream).isEmpty() ? failed : Optional.empty();
  }

  /** Returns why its response did not come to its end; empty if it did. */
  private String failure(ResponseWriter.End end) {
    return switch (end) {
      case WHOLE, PAUSED -> "";
      case SOURCE_FAILED, CLIENT_LEFT -> upstreamFailure(end).or(this::failure).orElse(GONE);
    };
  }

  /** Records why its response did not come to its end. */
  void mark(Transaction transaction, ResponseWriter.End end) {
    countIdle(end);
    upstreamFailure(end).ifPresentOrElse(transaction::markFailed, () -> transaction.markEnded(failure(end)));
  }

  private void countIdle(ResponseWriter.End end) {
    upstreamFailure(end).filter(ClientPresence.SILENT::equals).ifPresent(_ -> stream.endedIdle());
  }

  static Optional<String> failure(LiveStream stream) {
    return stream.ended().map(reason -> "ended: " + reason.message());
  }

  /** Answers a request that has been ended before its response had begun. */
  void refuse(Transaction transaction, ErrorResponses errors, Fields request) throws IOException {
    transaction.markEnded(failure().orElse(GONE));
    transaction.answer(refusal(stream.ended().orElseThrow(), errors, request));
  }

  /** Lets a request outlast its handler whose response has nothing to send for now. */
  void pause(Transaction transaction) {
    Afterwards afterwards = new Afterwards();
    transaction.outlast(afterwards);
    stream.lasts();
    pause(afterwards);
  }

  private void pause(Afterwards afterwards) {
    reply.pause(() -> goOn(afterwards));
  }

  private void goOn(Afterwards afterwards) {
    ResponseWriter.End end = reply.resume();
    if (end == ResponseWriter.End.PAUSED) {
      pause(afterwards);
    } else {
      countIdle(end);
      afterwards.over(failure(end));
    }
  }

  /** Returns the response that a new request would get; past its maximum age its upstream has had its time. */
  static Response refusal(EndReason reason, ErrorResponses errors, Fields request) {
    return switch (reason) {
      case STOPPED -> Response.of(503).with("Connection", "close");
      case EXPIRED, LOCKED -> errors.of(new Failure.Authentication(reason.message()), request);
      case RULES -> errors.of(new Failure.Authorization(reason.message()), request);
      case MAX_AGE, IDLE -> errors.ofUpstream(new Failure.Communication(reason.message(), true), request);
    };
  }
}
