package portcullis.http.message;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.Optional;
import java.util.OptionalLong;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.Value;

/**
 * The body of a request: read when a rule first uses it, within a budget, and only once; the bytes are kept, so that
 * they can be forwarded unchanged. It holds memory of the process until it is closed. For the request's thread.
 */
public final class Body implements AutoCloseable {
  private static final int STEP = 8 << 10;
  /** Memory for bodies that were not sent by a client. */
  private static final ParseMemory OWN = new ParseMemory(Long.MAX_VALUE);

  private static final Body NOTHING = none();
  private static final Body GONE = new Body(Content.of(InputStream::nullInputStream, OptionalLong.empty()), "",
      ParseBudget.DEFAULT, OWN, "", BodyFormat::of).repeated();

  private final Content content;
  private final String contentType;
  private final ParseBudget budget;
  private final ParseMemory memory;
  private final String client;
  private final BodyFormat.Lookup formats;
  private Optional<ParseMemory.Lease> raw = Optional.empty();
  private Optional<ParseMemory.Lease> parsed = Optional.empty();
  private Optional<byte[]> bytes = Optional.empty();
  private Optional<Value> value = Optional.empty();
  private boolean whole = true;
  private Optional<UnreadableBodyException> error = Optional.empty();

  /**
   * Creates a body that is read on demand.
   *
   * @param contentType of the message, empty if unknown
   * @param budget for reading the whole body
   * @param client whose share of the memory is used
   * @param formats finds the format of the content type
   */
  public Body(Content content, String contentType, ParseBudget budget, ParseMemory memory, String client,
      BodyFormat.Lookup formats) {
    this.content = content;
    this.contentType = contentType;
    this.budget = budget;
    this.memory = memory;
    this.client = client;
    this.formats = formats;
  }

  public static Body none() {
    return new Body(Content.NONE, "", ParseBudget.DEFAULT, OWN, "", BodyFormat::of);
  }

  /** Creates a body of bytes in memory, with JSON and forms as formats. */
  public static Body of(byte[] bytes, String contentType) {
    return of(bytes, contentType, BodyFormat::of);
  }

  /** Creates a body of bytes in memory. */
  public static Body of(byte[] bytes, String contentType, BodyFormat.Lookup formats) {
    return new Body(Content.of(bytes), contentType, ParseBudget.of(Math.max(bytes.length, ParseBudget.DEFAULT.bytes())),
        OWN, "", formats);
  }

  /** Returns the body for deciding the request again: what was sent is not kept, so that reading it fails. */
  Body repeated() {
    Body body = none();
    OptionalLong length = content.length();
    if (error.isPresent() || length.isEmpty() || length.getAsLong() > 0) {
      body.failed(400, "the body is no longer there");
    }
    return body;
  }

  /** Returns what is kept of a repeated body, to be repeated again: all have it in common. */
  Body lasting() {
    return error.isPresent() ? GONE : NOTHING;
  }

  /**
   * Returns all bytes, not to be modified. @throws UnreadableBodyException if it is too large or the client broke off
   */
  public byte[] bytes() {
    if (error.isPresent()) {
      throw error.get();
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
      throw failed(e instanceof HasStatus failure ? failure.status() : 400, "the body is broken");
    } catch (BudgetExceededException e) {
      throw over(e);
    }
  }

  /** Reserves memory for received bytes only, so that a client cannot hold memory by announcing a length. */
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

  private UnreadableBodyException tooLarge() {
    return failed(413, "the body is larger than " + budget.bytes() + " bytes");
  }

  private UnreadableBodyException over(BudgetExceededException e) {
    return failed(e.exhausted() ? 503 : 413,
        e.exhausted() ? e.getMessage() : "the body is too large: " + e.getMessage());
  }

  /** Returns whether the caller has sent all of it; false makes reading fail. */
  public boolean isWhole() {
    return whole;
  }

  /** Makes reading fail, as the caller has sent only a part, or nothing. */
  void incomplete(int status, String message) {
    whole = false;
    failed(status, message);
  }

  private UnreadableBodyException failed(int status, String message) {
    error = Optional.of(new UnreadableBodyException(status, message));
    close();
    return error.get();
  }

  /** Returns the bytes, not to be modified, if they have been read or there are none; reads nothing. */
  public Optional<byte[]> known() {
    OptionalLong length = content.length();
    return bytes.isEmpty() && length.isPresent() && length.getAsLong() == 0 ? Optional.of(new byte[0]) : bytes;
  }

  /**
   * Returns the content to forward: the stream, or the bytes if read. @throws UnreadableBodyException if reading has
   * failed
   */
  public Content forwarded() {
    if (error.isPresent()) {
      throw error.get();
    }
    return bytes.map(Content::of).orElse(content);
  }

  /**
   * Returns the parsed body (the values of a form are lists) if its content type has a format and it can be read as
   * such, else its text; without a body the empty string. @throws UnreadableBodyException as {@link #bytes}
   */
  public Value value() {
    if (value.isEmpty()) {
      byte[] all = bytes();
      value = Optional.of(all.length == 0 ? Value.EMPTY_STRING : decoded(all));
    }
    return value.get();
  }

  /**
   * Returns the members of a JSON object or a form, which may hold credentials; empty for everything else. A body of
   * another type is not read. @throws UnreadableBodyException as {@link #bytes}
   */
  public Optional<Value.Dict> parameters() {
    return BodyFormat.of(contentType).isPresent() && value() instanceof Value.Dict dict ? Optional.of(dict)
        : Optional.empty();
  }

  private Value decoded(byte[] all) {
    Optional<BodyFormat> format = formats.of(contentType);
    try {
      Optional<Value> read = format.isPresent() ? format.get().read(all, budget, memory()) : Optional.empty();
      return read.orElseGet(() -> Value.of(Grammar.text(all)));
    } catch (BudgetExceededException e) {
      throw over(e);
    }
  }

  /** Returns the lease of memory for what is parsed on behalf of the request, answers of remote services included. */
  public ParseMemory.Lease memory() {
    if (parsed.isEmpty()) {
      parsed = Optional.of(memory.lease(client));
    }
    return parsed.get();
  }

  /** Releases the parsed value once the request is decided; the bytes are kept. */
  public void forget() {
    value = Optional.empty();
    parsed.ifPresent(ParseMemory.Lease::close);
  }

  /** Releases all memory. */
  @Override
  public void close() {
    forget();
    raw.ifPresent(ParseMemory.Lease::close);
  }

}
