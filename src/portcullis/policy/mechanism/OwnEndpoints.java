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
   */
  record Answer(Response response, String error) {
    public static Answer of(Response response) {
      return new Answer(response, "");
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
