package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Request;
import portcullis.http.message.Response;

/** Endpoints of a mechanism below a reserved path, which no rule decides and no upstream gets. Thread safe. */
public interface OwnEndpoints {
  /** The reserved path. */
  String PREFIX = "/.portcullis/";

  /**
   * A response.
   *
   * @param error why the request was refused, for logs; empty if it was not
   * @param isShared whether the request may be for other mechanisms too, which then answer it as well
   */
  record Answer(Response response, String error, boolean isShared) {
    private static final int FAILED = 500;
    private static final int REFUSED = 400;

    public Answer(Response response, String error) {
      this(response, error, false);
    }

    public static Answer of(Response response) {
      return new Answer(response, "");
    }

    /** Returns the answer as one to a request that may be for others too. */
    public Answer shared() {
      return new Answer(response, error, true);
    }

    /**
     * Returns the answer to a request that another one has answered as well: a failure if one has failed, and a refusal
     * only if both have refused it; with the cookies of both.
     */
    public Answer and(Answer other) {
      return rank() >= other.rank() ? with(other) : other.with(this);
    }

    private int rank() {
      return response.status() >= FAILED ? 2 : response.status() < REFUSED ? 1 : 0;
    }

    private Answer with(Answer other) {
      return new Answer(
          response.with(other.response.fields().lines().stream().filter(f -> f.is("Set-Cookie")).toList()),
          error, isShared);
    }
  }

  /** Responds to a request below the reserved path; empty if it is not for this mechanism. */
  Optional<Answer> answer(Request request) throws Failure;

  /** Responds to a request that it could not answer; empty for the default response of the failure. */
  Optional<Response> failed(Request request, Failure failure);

  /** Responds to a request below the reserved path that is for no mechanism. */
  Answer otherwise(Request request);

  /** Returns the names of its cookies, which are never forwarded. */
  List<String> cookies();
}
