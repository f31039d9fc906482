package portcullis.policy.endpoint;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Field;

/**
 * What an endpoint is to be asked, rendered but without credentials; for one thread. All of it makes a difference to
 * the answer, so all of it is part of a cache key.
 */
public final class EndpointRequest {
  private final Optional<String> method;
  private final URI target;
  private final List<Field> configured;
  private final List<Field> forwarded = new ArrayList<>();
  private final List<Field> cookies = new ArrayList<>();
  private final List<Field> standards = new ArrayList<>();
  private final List<Field> conditions = new ArrayList<>();
  private String standardMethod = "POST";
  private byte[] body = {};

  EndpointRequest(Optional<String> method, URI target, List<Field> configured) {
    this.method = method;
    this.target = target;
    this.configured = configured;
  }

  /** Uses that method unless the endpoint names one. */
  public EndpointRequest standardMethod(String name) {
    standardMethod = name;
    return this;
  }

  /** Sends that field unless the endpoint configures one of its name. */
  public EndpointRequest standard(String name, String value) {
    standards.add(new Field(name, value));
    return this;
  }

  public EndpointRequest body(byte[] bytes) {
    body = bytes;
    return this;
  }

  /** Sends that field as well, unless it concerns the connection that it came by. */
  public EndpointRequest forward(String name, String value) {
    if (!CallHeaders.isOurs(name) && !name.equalsIgnoreCase("Host")) {
      forwarded.add(new Field(name, value));
    }
    return this;
  }

  /** Sends that cookie as well. */
  public EndpointRequest cookie(String name, String value) {
    cookies.add(new Field(name, value));
    return this;
  }

  /** Asks for an answer only if it is another one than is known; makes no difference to it, so it is part of no key. */
  void condition(String name, String value) {
    conditions.add(new Field(name, value));
  }

  public URI target() {
    return target;
  }

  String method() {
    return method.orElse(standardMethod);
  }

  /** All fields of that name that are sent, but for credentials. */
  List<String> values(String name) {
    List<String> out = new ArrayList<>();
    for (List<Field> fields : List.of(configured, standards, forwarded)) {
      fields.stream().filter(f -> f.is(name)).forEach(f -> out.add(f.value()));
    }
    return out;
  }

  /** The call in that manner, credentials in it; the endpoint's own fields win over them, a signature covers all. */
  HttpCall call(CallOptions manner, EndpointClient caller) throws CallFailure {
    Credentials credentials = manner.credentials();
    HttpCall call = new HttpCall(method(), target, body, manner.tls());
    credentials.put(call, caller);
    configured.forEach(f -> call.set(f.name(), f.value()));
    standards.forEach(f -> call.setIfAbsent(f.name(), f.value()));
    forwarded.forEach(f -> call.add(f.name(), f.value()));
    cookies.forEach(f -> call.cookie(f.name(), f.value()));
    conditions.forEach(f -> call.set(f.name(), f.value()));
    credentials.seal(call, caller);
    return call;
  }

  /** Its parts, for a cache key. */
  List<String> parts() {
    List<String> out = new ArrayList<>(List.of(method(), target.toString()));
    for (List<Field> fields : List.of(configured, standards, forwarded, cookies)) {
      out.add(String.valueOf(fields.size()));
      fields.forEach(f -> {
        out.add(f.name());
        out.add(f.value());
      });
    }
    out.add(new String(body, StandardCharsets.ISO_8859_1));
    return out;
  }
}
