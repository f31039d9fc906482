package portcullis.policy.endpoint;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.http.message.Field;
import portcullis.http.message.Query;

/** A call that is being built; for one thread. */
public final class HttpCall {
  private final String method;
  private final List<Field> fields = new ArrayList<>();
  private final List<String> cookies = new ArrayList<>();
  private final byte[] body;
  private final Optional<ClientTlsSettings> tls;
  private URI target;

  /** @param tls empty for the default settings */
  HttpCall(String method, URI target, byte[] body, Optional<ClientTlsSettings> tls) {
    this.method = method;
    this.tls = tls;
    this.target = target;
    this.body = body;
  }

  public String method() {
    return method;
  }

  public URI target() {
    return target;
  }

  Optional<ClientTlsSettings> tls() {
    return tls;
  }

  public byte[] body() {
    return body;
  }

  /** Returns all fields; cookies in one field after the others (RFC 6265, 5.4). */
  public List<Field> fields() {
    List<Field> out = new ArrayList<>(fields.size() + 1);
    List<String> pairs = new ArrayList<>();
    for (Field field : fields) {
      if (field.is("Cookie")) {
        pairs.add(field.value());
      } else {
        out.add(field);
      }
    }
    pairs.addAll(cookies);
    if (!pairs.isEmpty()) {
      out.add(new Field("Cookie", String.join("; ", pairs)));
    }
    return out;
  }

  /** Adds a field. */
  public void add(String name, String value) {
    fields.add(new Field(name, value));
  }

  /** Replaces all fields with this name. */
  public void set(String name, String value) {
    fields.removeIf(f -> f.is(name));
    add(name, value);
  }

  public void setIfAbsent(String name, String value) {
    if (fields.stream().noneMatch(f -> f.is(name))) {
      add(name, value);
    }
  }

  /** Adds a cookie, without changing its bytes. */
  public void cookie(String name, String value) {
    cookies.add(name + "=" + value);
  }

  /** Replaces all query parameters with this name; the query becomes sorted by names. */
  public void query(String name, String value) {
    String text = target.toString();
    int end = text.indexOf('?') < 0 ? text.length() : text.indexOf('?');
    target = URI.create(
        text.substring(0, end) + "?" + Query.with(Optional.ofNullable(target.getRawQuery()).orElse(""), name, value));
  }
}
