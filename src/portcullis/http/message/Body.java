package portcullis.http.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.Value;

/**
 * The body of a request: read when a rule first asks for it, within a budget, and never twice; what was read is still
 * there to be forwarded byte for byte. It holds memory of the process until it is closed. For the request's thread.
 */
public final class Body implements AutoCloseable {
  private static final int STEP = 8 << 10;
  /** For bodies that no client has sent. */
  private static final ParseMemory OWN = new ParseMemory(Long.MAX_VALUE);

  private final Content content;
  private final String contentType;
  private final ParseBudget budget;
  private final ParseMemory memory;
  private final String client;
  private Optional<ParseMemory.Lease> raw = Optional.empty();
  private Optional<ParseMemory.Lease> parsed = Optional.empty();
  private Optional<byte[]> bytes = Optional.empty();
  private Optional<Value> value = Optional.empty();
  private Optional<UnreadableBody> fault = Optional.empty();

  /**
   * A body that is to be read.
   *
   * @param contentType what it is told to be, empty where nobody says
   * @param budget for reading it as a whole
   * @param client whose share of the memory counts
   */
  public Body(Content content, String contentType, ParseBudget budget, ParseMemory memory, String client) {
    this.content = content;
    this.contentType = contentType;
    this.budget = budget;
    this.memory = memory;
    this.client = client;
  }

  public static Body none() {
    return of(new byte[0], "");
  }

  /** One of bytes that are there already. */
  public static Body of(byte[] bytes, String contentType) {
    return new Body(Content.of(bytes), contentType, ParseBudget.of(Math.max(bytes.length, ParseBudget.DEFAULT.bytes())),
        OWN, "");
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
    if (length.isPresent() && length.getAsLong() > budget.bytes()) {
      throw tooLarge();
    }
    raw = Optional.of(memory.lease(client));
    try (InputStream in = content.stream()) {
      return read(in, raw.get());
    } catch (SocketTimeoutException _) {
      throw failed(408, "the body was not sent in time");
    } catch (IOException e) {
      throw failed(e instanceof Answerable fault ? fault.status() : 400, "the body is broken");
    } catch (BudgetExceededException e) {
      throw over(e);
    }
  }

  /** What has come is paid for step by step, so that a client cannot hold memory by promising bytes. */
  private byte[] read(InputStream in, ParseMemory.Lease lease) throws IOException, BudgetExceededException {
    byte[] step = in.readNBytes(STEP);
    lease.reserve(step.length);
    if (step.length < STEP) {
      return within(step.length, step);
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream(2 * STEP);
    while (step.length > 0) {
      all.write(step, 0, step.length);
      within(all.size(), step);
      step = in.readNBytes(STEP);
      lease.reserve(2L * step.length); // it grows by being copied
    }
    return all.toByteArray();
  }

  private byte[] within(int size, byte[] read) {
    if (size > budget.bytes()) {
      throw tooLarge();
    }
    return read;
  }

  private UnreadableBody tooLarge() {
    return failed(413, "the body is larger than " + budget.bytes() + " bytes");
  }

  private UnreadableBody over(BudgetExceededException e) {
    return failed(e.exhausted() ? 503 : 413,
        e.exhausted() ? e.getMessage() : "the body is too large: " + e.getMessage());
  }

  private UnreadableBody failed(int status, String message) {
    fault = Optional.of(new UnreadableBody(status, message));
    close();
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
      value = Optional.of(all.length == 0 ? Value.EMPTY_STRING : decoded(all));
    }
    return value.get();
  }

  /**
   * The members of a JSON object or a form, where credentials may be; empty for everything else. Of another type
   * nothing is read. @throws UnreadableBody as {@link #bytes}
   */
  public Optional<Value.Dict> parameters() {
    boolean may = BodyFormat.of(contentType).filter(format -> format != BodyFormat.YAML).isPresent();
    return may && value() instanceof Value.Dict dict ? Optional.of(dict) : Optional.empty();
  }

  private Value decoded(byte[] all) {
    Optional<BodyFormat> format = BodyFormat.of(contentType);
    try {
      Optional<Value> read = format.isPresent() ? format.get().read(all, budget, memory()) : Optional.empty();
      return read.orElseGet(() -> Value.of(text(all)));
    } catch (BudgetExceededException e) {
      throw over(e);
    }
  }

  /** The memory that is held for what is parsed on behalf of the request, answers of remote services too. */
  public ParseMemory.Lease memory() {
    if (parsed.isEmpty()) {
      parsed = Optional.of(memory.lease(client));
    }
    return parsed.get();
  }

  /** Forgets what it says, once the request is decided; its bytes are still there. */
  public void forget() {
    value = Optional.empty();
    parsed.ifPresent(ParseMemory.Lease::close);
  }

  /** Releases the memory, once nothing of it is needed any more. */
  @Override
  public void close() {
    forget();
    raw.ifPresent(ParseMemory.Lease::close);
  }

  static String text(byte[] bytes) {
    return Grammar.text(new String(bytes, StandardCharsets.ISO_8859_1));
  }
}
