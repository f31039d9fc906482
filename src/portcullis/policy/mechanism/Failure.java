package portcullis.policy.mechanism;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.expression.ErrorKind;

/**
 * Why a request does not pass. An outcome, not a bug: it has no stack trace. What lies below it is its cause, a failure
 * too.
 */
public abstract sealed class Failure extends Exception {
  private static final long serialVersionUID = 1;

  private final String detail;

  private Failure(String message, Failure cause) {
    this(message, "", cause);
  }

  /** @param detail for logs alone, as it may name files and addresses; empty for none */
  private Failure(String message, String detail, Failure cause) {
    super(message, cause, false, false);
    this.detail = detail;
  }

  /** What it is called in answers and logs, as {@code authentication error}. */
  public abstract String title();

  /** What conditions of error handlers call it; empty where there is no name for it. */
  abstract Optional<ErrorKind> kind();

  public Optional<Failure> below() {
    return Optional.ofNullable((Failure) getCause());
  }

  /** The kinds of this failure and of all below it: a condition holds if its kind is among them. */
  public Set<ErrorKind> kinds() {
    Set<ErrorKind> out = EnumSet.noneOf(ErrorKind.class);
    for (Optional<Failure> f = Optional.of(this); f.isPresent(); f = f.get().below()) {
      f.get().kind().ifPresent(out::add);
    }
    return out;
  }

  /** The failure of that type, this one or one below it. */
  public <T extends Failure> Optional<T> find(Class<T> type) {
    return type.isInstance(this) ? Optional.of(type.cast(this)) : below().flatMap(f -> f.find(type));
  }

  /** The whole chain in one line, for logs. */
  public String report() {
    String own = title() + ": " + getMessage() + (detail.isEmpty() ? "" : ": " + detail);
    return below().map(f -> own + ": " + f.report()).orElse(own);
  }

  /** The request lacks something or has it in a wrong form. */
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

  /** Nobody knows who asks. */
  public static final class Authentication extends Failure {
    private static final long serialVersionUID = 1;

    public Authentication(String message) {
      super(message, null);
    }

    public Authentication(String message, Failure cause) {
      super(message, cause);
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

  /** Who asks may not have it. */
  public static final class Authorization extends Failure {
    private static final long serialVersionUID = 1;

    public Authorization(String message) {
      super(message, null);
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

  /** No rule fits, and there is no default rule. */
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

  /** A remote party is away, silent or answers what it should not. */
  public static final class Communication extends Failure {
    private static final long serialVersionUID = 1;

    private final boolean timeout;

    public Communication(String message, boolean timeout) {
      this(message, "", timeout);
    }

    /** @param detail for logs alone, as it may name addresses; empty for none */
    public Communication(String message, String detail, boolean timeout) {
      super(message, detail, null);
      this.timeout = timeout;
    }

    /** Whether it did not answer in time. */
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

  /** The configuration or a remote party does not fit what has come: nobody's credentials are at fault. */
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
