package portcullis.endpoint;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.message.Field;

/**
 * What an endpoint is to be asked, rendered but without credentials; for one thread. All of it makes a difference to the
 * answer, so all of it is part of a cache key.
 */
public final class Ask {
  private final Optional<String> method;
  private final URI target;
  private final List<Field> configured;
  private final List<Field> forwarded = new ArrayList<>();
  private final List<Field> cookies = new ArrayList<>();
  private final List<Field> standards = new ArrayList<>();
  private String standardMethod = "POST";
  private byte[] body = {};

  Ask(Optional<String> method, URI target, List<Field> configured) {
    this.method = method;
    this.target = target;
    this.configured = configured;
  }

  /** Uses that method unless the endpoint names one. */
  public Ask standardMethod(String name) {
    standardMethod = name;
    return this;
  }

  /** Sends that field unless the endpoint configures one of its name. */
  public Ask standard(String name, String value) {
    standards.add(new Field(name, value));
    return this;
  }

  public Ask body(byte[] bytes) {
    body = bytes;
    return this;
  }

  /** Sends that field as well. */
  public Ask forward(String name, String value) {
    forwarded.add(new Field(name, value));
    return this;
  }

  /** Sends that cookie as well. */
  public Ask cookie(String name, String value) {
    cookies.add(new Field(name, value));
    return this;
  }

  public URI target() {
    return target;
  }

  /** The call with credentials in it; the endpoint's own fields win over them. */
  Call call(Credentials credentials, Caller caller) throws CallFailure {
    Call call = new Call(method.orElse(standardMethod), target, body);
    credentials.put(call, caller);
    configured.forEach(f -> call.set(f.name(), f.value()));
    standards.forEach(f -> call.setIfAbsent(f.name(), f.value()));
    forwarded.forEach(f -> call.add(f.name(), f.value()));
    cookies.forEach(f -> call.cookie(f.name(), f.value()));
    return call;
  }

  /** Its parts, for a cache key. */
  List<String> parts() {
    List<String> out = new ArrayList<>(List.of(method.orElse(standardMethod), target.toString()));
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
