package portcullis.message;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import portcullis.value.Value;

/**
 * The body of a request: read when a rule first asks for it, up to a limit, and never twice; what was read is still there
 * to be forwarded byte for byte. For the request's thread.
 */
public final class Body {
  private final Content content;
  private final String contentType;
  private final long limit;
  private Optional<byte[]> bytes = Optional.empty();
  private Optional<Value> value = Optional.empty();
  private Optional<UnreadableBody> fault = Optional.empty();

  /** @param contentType what it is told to be, empty where nobody says; @param limit in bytes, for reading it as a whole */
  public Body(Content content, String contentType, long limit) {
    this.content = content;
    this.contentType = contentType;
    this.limit = limit;
  }

  public static Body none() {
    return of(new byte[0], "");
  }

  public static Body of(byte[] bytes, String contentType) {
    return new Body(Content.of(bytes), contentType, bytes.length);
  }

  /** All of it; not to be changed. @throws UnreadableBody where it is too large or the client broke off */
  public byte[] bytes() {
    if (fault.isPresent()) {
      throw fault.get();
    }
    if (bytes.isEmpty()) {
      bytes = Optional.of(read());
    }
    return bytes.get();
  }

  private byte[] read() {
    OptionalLong length = content.length();
    if (length.isPresent() && length.getAsLong() == 0) {
      return new byte[0];
    }
    if (length.isPresent() && length.getAsLong() > limit) {
      throw failed(413, "the body is larger than " + limit + " bytes");
    }
    try (InputStream in = content.stream()) {
      byte[] all = in.readNBytes((int) Math.min(limit + 1, Integer.MAX_VALUE - 8));
      if (all.length > limit) {
        throw failed(413, "the body is larger than " + limit + " bytes");
      }
      return all;
    } catch (SocketTimeoutException _) {
      throw failed(408, "the body was not sent in time");
    } catch (IOException e) {
      throw failed(e instanceof Answerable fault ? fault.status() : 400, "the body is broken");
    }
  }

  private UnreadableBody failed(int status, String message) {
    fault = Optional.of(new UnreadableBody(status, message));
    return fault.get();
  }

  /** What to send on: as it comes in, or what was read. @throws UnreadableBody where reading it failed before */
  public Content forwarded() {
    if (fault.isPresent()) {
      throw fault.get();
    }
    return bytes.map(Content::of).orElse(content);
  }

  /**
   * What it says: JSON, a form (its values are lists) or YAML where its type says so and it can be read as such, else
   * text; no body is the empty text. @throws UnreadableBody as {@link #bytes}
   */
  public Value value() {
    if (value.isEmpty()) {
      byte[] all = bytes();
      value = Optional.of(all.length == 0 ? Value.EMPTY_TEXT : decoded(all));
    }
    return value.get();
  }

  private Value decoded(byte[] all) {
    return BodyFormat.of(contentType).flatMap(format -> format.read(all)).orElseGet(() -> Value.of(text(all)));
  }

  static String text(byte[] bytes) {
    return Grammar.text(new String(bytes, StandardCharsets.ISO_8859_1));
  }
}
