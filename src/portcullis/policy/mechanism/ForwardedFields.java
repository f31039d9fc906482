package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Cookies;
import portcullis.http.message.Request;
import portcullis.policy.endpoint.EndpointRequest;

/**
 * Fields and cookies of the client that a remote party is told, byte for byte; those that are not there are left out.
 */
public final class ForwardedFields {
  private ForwardedFields() {}

  public static void along(EndpointRequest ask, Request request, List<String> headers, List<String> cookies) {
    for (String name : headers) {
      request.fields().joined(name).ifPresent(value -> ask.forward(name, value));
    }
    for (String name : cookies) {
      Optional<String> value = Cookies.first(request.fields(), name);
      value.ifPresent(v -> ask.cookie(name, v));
    }
  }
}
