package portcullis.policy.mechanism;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.lang.expression.ErrorKind;

/**
 * The reason why a request is refused: an outcome, not a bug, so it has no stack trace. Its cause is a failure too.
 */
public abstract sealed class Failure extends Exception {
  private static final long serialVersionUID = 1;

  private final String detail;

  private Failure(String message, Failure cause) {
    this(message, "", cause);
  }

  /** @param detail for logs only, as it may contain files and addresses; empty for none */
  private Failure(String message, String detail, Failure cause) {
    super(message, cause, false, false);
    this.detail = detail;
  }

  /** Returns its name in responses and logs, as {@code authentication error}. */
  public abstract String title();

  /** Returns its kind for conditions of error handlers; empty if there is none. */
  abstract Optional<ErrorKind> kind();

  public Optional<Failure> below() {
    return Optional.ofNullable((Failure) getCause());
  }

  /** Returns the kinds of this failure and of its causes; a condition is true if its kind is among them. */
  public Set<ErrorKind> kinds() {
    Set<ErrorKind> out = EnumSet.noneOf(ErrorKind.class);
    for (Optional<Failure> f = Optional.of(this); f.isPresent(); f = f.get().below()) {
      f.get().kind().ifPresent(out::add);
    }
    return out;
  }

  /** Returns this failure or the first of its causes that has the type. */
  public <T extends Failure> Optional<T> find(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : below().flatMap(f -> f.find(type));
  }

  /** Returns whether a response with this status says that its service failed, as what is in front of it says, too. */
  public static boolean isOutage(int status) {
    return status >= 500 || status == 429;
  }

  /** Returns the whole chain in one line, for logs. */
  public String report() {
    String own = title() + ": " + getMessage() + (detail.isEmpty() ? "" : ": " + detail);
    return below().map(f -> own + ": " + f.report()).orElse(own);
  }

  /** The request lacks something, or has it in a wrong form. */
  public static final class Precondition extends Failure {
    private static final long serialVersionUID = 1;

    public Precondition(String message) {
      super(message, null);
    }

    /** @param detail for logs alone */
    public Precondition(String message, String detail) {
      super(message, detail, null);
    }

    @Override
    public String title() {
      return "argument error";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.PRECONDITION);
    }
  }

  /** The subject could not be authenticated. */
  public static final class Authentication extends Failure {
    private static final long serialVersionUID = 1;

    private final transient Challenge challenge;
    private final transient Fields headers;

    private Authentication(String message, Optional<Failure> cause, Challenge challenge, Fields headers) {
      super(message, cause.orElse(null));
      this.challenge = challenge;
      this.headers = headers;
    }

    public Authentication(String message) {
      this(message, Fields.NONE);
    }

    public Authentication(String message, Failure cause) {
      this(message, cause, Fields.NONE);
    }

    /** @param challenge the response unless an error handler responds */
    public Authentication(String message, Challenge challenge) {
      this(message, Optional.empty(), challenge, Fields.NONE);
    }

    /** @param challenge the response unless an error handler responds */
    public Authentication(String message, Failure cause, Challenge challenge) {
      this(message, Optional.of(cause), challenge, Fields.NONE);
    }

    /** @param headers fields of a response with status 401, unless an error handler sends another */
    public Authentication(String message, Fields headers) {
      this(message, Optional.empty(), _ -> Optional.empty(), headers);
    }

    public Authentication(String message, Failure cause, Fields headers) {
      this(message, Optional.of(cause), _ -> Optional.empty(), headers);
    }

    /** Creates the response by which a client is asked to authenticate; empty for the default one. */
    public interface Challenge {
      Optional<HandlerResponse> of(Request request);
    }

    /** Returns the header fields that say how to authenticate; mostly none. */
    public Fields headers() {
      return headers;
    }

    public Challenge challenge() {
      return challenge;
    }

    /** @param detail for logs alone */
    public Authentication(String message, String detail) {
      super(message, detail, null);
      challenge = _ -> Optional.empty();
      headers = Fields.NONE;
    }

    @Override
    public String title() {
      return "authentication error";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.AUTHENTICATION);
    }
  }

  /** The subject is not allowed to do this. */
  public static final class Authorization extends Failure {
    private static final long serialVersionUID = 1;

    private final transient Optional<FailedCheck> check;
    private final boolean outage;

    public Authorization(String message) {
      this(message, Optional.empty(), false);
    }

    public Authorization(String message, FailedCheck check) {
      this(message, Optional.of(check), false);
    }

    /** @param outage as {@link #isOutage} returns it */
    public Authorization(String message, boolean outage) {
      this(message, Optional.empty(), outage);
    }

    private Authorization(String message, Optional<FailedCheck> check, boolean outage) {
      super(message, null);
      this.check = check;
      this.outage = outage;
    }

    /** Returns whether the service that was asked has failed rather than refused, so that it may allow it later. */
    public boolean isOutage() {
      return outage;
    }

    /** Returns the expression that was false, if there was one. */
    public Optional<FailedCheck> check() {
      return check;
    }

    @Override
    public String title() {
      return "authorization error";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.AUTHORIZATION);
    }
  }

  /** No rule matches, and there is no default rule. */
  public static final class NoRule extends Failure {
    private static final long serialVersionUID = 1;

    public NoRule(String message) {
      super(message, null);
    }

    @Override
    public String title() {
      return "no rule found";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.empty();
    }
  }

  /** A remote service could not be reached, did not respond in time, or sent an unexpected response. */
  public static final class Communication extends Failure {
    private static final long serialVersionUID = 1;

    private final boolean timeout;
    private final boolean outage;

    public Communication(String message, boolean timeout) {
      this(message, "", timeout);
    }

    /** @param detail for logs alone, as it may name addresses; empty for none */
    public Communication(String message, String detail, boolean timeout) {
      this(message, detail, timeout, true);
    }

    private Communication(String message, String detail, boolean timeout, boolean outage) {
      super(message, detail, null);
      this.timeout = timeout;
      this.outage = outage;
    }

    /** Returns the failure of a call whose response has a status that is not expected. */
    public static Communication status(int status) {
      return new Communication("unexpected response code: " + status, "", false, isOutage(status));
    }

    /** Returns whether the service failed: it gave no response, or one that says so. */
    public boolean isOutage() {
      return outage;
    }

    /** Returns whether it did not respond in time. */
    public boolean timeout() {
      return timeout;
    }

    @Override
    public String title() {
      return timeout ? "communication timeout error" : "communication error";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.COMMUNICATION);
    }
  }

  /** The memory for parsing in the whole process is exhausted for now: the client may try again. */
  public static final class Exhausted extends Failure {
    private static final long serialVersionUID = 1;

    public Exhausted(String message) {
      super(message, null);
    }

    @Override
    public String title() {
      return "resources exhausted";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.INTERNAL);
    }
  }

  /** A client does something more often than it may; it may try again later. */
  public static final class TooManyRequests extends Failure {
    private static final long serialVersionUID = 1;

    private final transient Fields headers;

    /** @param wait until the client may try again */
    public TooManyRequests(String message, Duration wait) {
      this(message, "", wait, Fields.NONE);
    }

    /**
     * @param detail for logs alone, as it may name users and addresses
     * @param more fields of the response besides {@code Retry-After}
     */
    public TooManyRequests(String message, String detail, Duration wait, Fields more) {
      super(message, detail, null);
      long seconds = Math.max(1, wait.plusNanos(999_999_999).toSeconds());
      headers = more.with("Retry-After", Long.toString(seconds));
    }

    /** Returns the header fields of a response with status 429. */
    public Fields headers() {
      return headers;
    }

    @Override
    public String title() {
      return "too many requests";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.TOO_MANY_REQUESTS);
    }
  }

  /** No request can be decided at the moment; the client may try again. */
  public static final class Unavailable extends Failure {
    private static final long serialVersionUID = 1;

    public Unavailable(String message) {
      super(message, null);
    }

    @Override
    public String title() {
      return "service unavailable";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.INTERNAL);
    }
  }

  /** The configuration or a remote service does not suit the request; its credentials are not the cause. */
  public static final class Internal extends Failure {
    private static final long serialVersionUID = 1;

    public Internal(String message) {
      super(message, null);
    }

    /** @param detail for logs alone, as it may name files and addresses */
    public Internal(String message, String detail) {
      super(message, detail, null);
    }

    public Internal(String message, Failure cause) {
      super(message, cause);
    }

    @Override
    public String title() {
      return "internal error";
    }

    @Override
    Optional<ErrorKind> kind() {
      return Optional.of(ErrorKind.INTERNAL);
    }
  }
}
