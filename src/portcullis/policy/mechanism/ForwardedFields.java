package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Cookies;
import portcullis.http.message.Request;
import portcullis.policy.endpoint.EndpointRequest;

/** Copies header fields and cookies of the client to requests to remote services, byte for byte. */
public final class ForwardedFields {
  private ForwardedFields() {}

  /** Copies those of the named header fields and cookies that the client has sent. */
  public static void copy(Request client, EndpointRequest request, List<String> headers, List<String> cookies) {
    for (String name : headers) {
      client.fields().joined(name).ifPresent(value -> request.forward(name, value));
    }
    for (String name : cookies) {
      Optional<String> value = Cookies.first(client.fields(), name);
      value.ifPresent(v -> request.cookie(name, v));
    }
  }
}
