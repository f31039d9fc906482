package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.keys.KeyEntry;
import portcullis.lang.value.Value;

/**
 * Something a step of a pipeline does. Immutable and thread safe; it owns no pool, cache or key, so nothing has to be
 * closed.
 */
public sealed interface Mechanism {
  /** Tells who asks. */
  non-sealed interface Authenticator extends Mechanism {
    Subject authenticate(PipelineState state) throws Failure;

    /** Whether it lets in anyone at all. */
    default boolean open() {
      return false;
    }
  }

  /** Passes the request on by returning, stops it by failing. */
  non-sealed interface Authorizer extends Mechanism {
    Outcome authorize(PipelineState state) throws Failure;

    /** The names of the header fields that it may set; a client's own of these names never pass. */
    default Set<String> headers() {
      return Set.of();
    }
  }

  /** Finds out more; empty where there is nothing to be known. */
  non-sealed interface Contextualizer extends Mechanism {
    Optional<Value> contextualize(PipelineState state) throws Failure;

    /** Whether a failure of it leaves the request going. */
    default boolean lenient() {
      return false;
    }
  }

  /** Makes what the upstream is told. */
  non-sealed interface Finalizer extends Mechanism {
    Additions finish(PipelineState state) throws Failure;

    /** The names of the header fields that it may set; a client's own of these names never pass. */
    default Set<String> headers() {
      return Set.of();
    }

    /** The keys of the file that it signs with. */
    default List<KeyEntry> keys() {
      return List.of();
    }

    /** The names of the cookies that it may set. */
    default Set<String> cookies() {
      return Set.of();
    }
  }

  /** Answers for a request that failed. */
  non-sealed interface ErrorHandler extends Mechanism {
    /** Empty where the answer is that of the failure's kind. */
    Optional<HandlerResponse> answer(LocatedFailure fault, PipelineState state) throws Failure;
  }

  /**
   * What an authorizer lets on.
   *
   * @param output what later steps read under its id
   * @param additions what the upstream is told
   */
  record Outcome(Optional<Value> output, Additions additions) {
    public static final Outcome PASSED = new Outcome(Optional.empty(), Additions.NONE);
  }
}
