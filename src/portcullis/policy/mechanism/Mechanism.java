package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.keys.KeyEntry;
import portcullis.http.message.Field;
import portcullis.lang.value.Value;

/**
 * What a step of a pipeline does. Immutable and thread safe; it owns no pool, cache or key, so nothing has to be
 * closed.
 */
public sealed interface Mechanism {
  /** Identifies the subject. */
  non-sealed interface Authenticator extends Mechanism {
    Subject authenticate(PipelineState state) throws Failure;

    /** Identifies the subject, and returns what is added to the response to the client. */
    default Identified identify(PipelineState state) throws Failure {
      return new Identified(authenticate(state), List.of());
    }

    /** Returns the endpoints that it responds to itself; empty for most. */
    default Optional<OwnEndpoints> endpoints() {
      return Optional.empty();
    }

    /** Returns whether it accepts every request. */
    default boolean open() {
      return false;
    }

    /** Returns whether passwords can be tried without end: nothing locks out after wrong ones. */
    default boolean guessable() {
      return false;
    }

    /** Discards the keys, metadata and tokens that earlier requests left behind, for tests of rules. */
    default void forget() {
      // most keep nothing
    }
  }

  /** Allows a request by returning, refuses it by failing. */
  non-sealed interface Authorizer extends Mechanism {
    Outcome authorize(PipelineState state) throws Failure;

    /** Returns the names of the header fields that it may set, which clients cannot set. */
    default Set<String> headers() {
      return Set.of();
    }

    /** Returns whether it decides about the arrival of a request: one that was allowed is not decided again by it. */
    default boolean once() {
      return false;
    }
  }

  /** Gets additional data; the result is empty if there is none. */
  non-sealed interface Contextualizer extends Mechanism {
    Optional<Value> contextualize(PipelineState state) throws Failure;

    /** Returns whether its failures are ignored. */
    default boolean lenient() {
      return false;
    }
  }

  /** Creates what is added to the request for the upstream. */
  non-sealed interface Finalizer extends Mechanism {
    RequestAdditions finish(PipelineState state) throws Failure;

    /** Returns the names of the header fields that it may set, which clients cannot set. */
    default Set<String> headers() {
      return Set.of();
    }

    /** Returns the keys that it signs with. */
    default List<KeyEntry> keys() {
      return List.of();
    }

    /** Returns the names of the cookies that it may set. */
    default Set<String> cookies() {
      return Set.of();
    }
  }

  /** Creates the response to a failed request. */
  non-sealed interface ErrorHandler extends Mechanism {
    /** Returns the response; empty for the default one of the kind of failure. */
    Optional<HandlerResponse> answer(StepFailure stepFailure, PipelineState state) throws Failure;
  }

  /**
   * The result of an authenticator.
   *
   * @param response header fields that are added to the response to the client
   */
  record Identified(Subject subject, List<Field> response) {}

  /**
   * The result of an authorizer.
   *
   * @param output what later steps read under its id
   * @param additions what is added to the request for the upstream
   * @param response header fields that are added to the response to the client
   */
  record Outcome(Optional<Value> output, RequestAdditions additions, List<Field> response) {
    public static final Outcome PASSED = new Outcome(Optional.empty(), RequestAdditions.NONE);

    public Outcome(Optional<Value> output, RequestAdditions additions) {
      this(output, additions, List.of());
    }
  }
}
