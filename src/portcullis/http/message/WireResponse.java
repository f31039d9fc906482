package portcullis.http.message;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The features of a response of this client beyond {@link java.net.http.HttpResponse}, which it implements as well. */
public interface WireResponse {
  /** Returns the answer of our client, or what that of another one says. */
  static WireResponse of(HttpResponse<?> response) {
    return response instanceof WireResponse ours ? ours : new Foreign(response.headers());
  }

  /** An answer without trailers and tunnel. */
  record Foreign(HttpHeaders headers) implements WireResponse {
    @Override
    public Fields fields() {
      List<Field> out = new ArrayList<>();
      headers.map().forEach((name, values) -> values.stream().filter(_ -> !name.startsWith(":"))
          .forEach(value -> out.add(new Field(name, value))));
      return Fields.of(out);
    }

    @Override
    public Fields trailers() {
      return Fields.NONE;
    }

    @Override
    public Optional<Tunnel> tunnel() {
      return Optional.empty();
    }
  }

  /** Returns the header lines in their order and spelling; a value's bytes are characters 0 to 255. */
  Fields fields();

  /** Returns the trailer section; known once the body has been read to its end, none before. */
  Fields trailers();

  /** Returns the connection if the answer to a request for an upgrade was 101; the caller closes it. */
  Optional<Tunnel> tunnel();
}
