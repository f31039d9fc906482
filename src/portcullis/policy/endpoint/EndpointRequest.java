package portcullis.policy.endpoint;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.http.message.Field;

/**
 * A request to an endpoint: rendered, still without credentials. The response may depend on all of it, so that all of
 * it is part of cache keys. Confined to one thread.
 */
public final class EndpointRequest {
  private final Optional<String> method;
  private final URI target;
  private final List<Field> configured;
  private final List<Field> forwarded = new ArrayList<>();
  private final List<Field> cookies = new ArrayList<>();
  private final List<Field> defaults = new ArrayList<>();
  private final List<Field> conditions = new ArrayList<>();
  private String defaultMethod = "POST";
  private byte[] body = {};

  EndpointRequest(Optional<String> method, URI target, List<Field> configured) {
    this.method = method;
    this.target = target;
    this.configured = configured;
  }

  /** Sets the method for endpoints that configure none. */
  public EndpointRequest defaultMethod(String name) {
    defaultMethod = name;
    return this;
  }

  /** Adds a header field unless the endpoint configures one with this name. */
  public EndpointRequest defaultHeader(String name, String value) {
    defaults.add(new Field(name, value));
    return this;
  }

  public EndpointRequest body(byte[] bytes) {
    body = bytes;
    return this;
  }

  /** Adds a header field of the client, unless it is hop-by-hop. */
  public EndpointRequest forward(String name, String value) {
    if (!CallHeaders.isOurs(name) && !name.equalsIgnoreCase("Host")) {
      forwarded.add(new Field(name, value));
    }
    return this;
  }

  /** Adds a cookie. */
  public EndpointRequest cookie(String name, String value) {
    cookies.add(new Field(name, value));
    return this;
  }

  /** Adds a condition for revalidation (RFC 9110, 13.1), which is not part of cache keys. */
  void condition(String name, String value) {
    conditions.add(new Field(name, value));
  }

  public URI target() {
    return target;
  }

  /** Returns the target for logs: without the query, which may contain secrets. */
  public String address() {
    String url = target.toString();
    int query = url.indexOf('?');
    return query < 0 ? url : url.substring(0, query);
  }

  String method() {
    return method.orElse(defaultMethod);
  }

  /** Returns the values of all header fields with this name, credentials excluded. */
  List<String> values(String name) {
    List<String> out = new ArrayList<>();
    for (List<Field> fields : List.of(configured, defaults, forwarded)) {
      fields.stream().filter(f -> f.is(name)).forEach(f -> out.add(f.value()));
    }
    return out;
  }

  /** Builds the HTTP call with credentials; configured header fields override them, and a signature covers all. */
  HttpCall call(CallOptions options, EndpointClient client) throws CallFailure {
    Credentials credentials = options.credentials();
    HttpCall call = new HttpCall(method(), target, body, options.tls());
    credentials.apply(call, client);
    configured.forEach(f -> call.set(f.name(), f.value()));
    defaults.forEach(f -> call.setIfAbsent(f.name(), f.value()));
    forwarded.forEach(f -> call.add(f.name(), f.value()));
    cookies.forEach(f -> call.cookie(f.name(), f.value()));
    conditions.forEach(f -> call.set(f.name(), f.value()));
    credentials.sign(call, client);
    return call;
  }

  /** Returns everything the response may depend on, for a cache key. */
  List<String> parts() {
    List<String> out = new ArrayList<>(List.of(method(), target.toString()));
    for (List<Field> fields : List.of(configured, defaults, forwarded, cookies)) {
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
