package portcullis.policy.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import portcullis.lang.source.Problems;
import portcullis.policy.cache.CacheKey;

/** Credentials of calls to an endpoint. */
public sealed interface Credentials {
  Credentials NONE = new None();

  /** Adds the credentials to a call, before the header fields of the endpoint. */
  default void apply(HttpCall call, EndpointClient caller) throws CallFailure {
    // not every kind has some
  }

  /** Signs the complete call. */
  default void sign(HttpCall call, EndpointClient caller) throws CallFailure {
    // most kinds sign nothing
  }

  /** Returns whether the credentials are usable, given whether TLS is enforced; adds a problem if not. */
  default boolean secure(boolean tlsOnly, Problems problems) {
    return true;
  }

  /** Makes the client watch the key that these credentials sign with. */
  default void useKeys(EndpointClient caller) {
    // most kinds have no key
  }

  /** Returns a hash of everything that the response may depend on, for cache keys. */
  String identity(EndpointClient caller);

  /** Returns whether the {@link #identity} never changes, as no key of a file is part of it. */
  default boolean isConstant() {
    return true;
  }

  /** No credentials. */
  record None() implements Credentials {
    @Override
    public String identity(EndpointClient caller) {
      return "none";
    }
  }

  /** User and password (RFC 7617). */
  record Basic(String user, String password) implements Credentials {
    @Override
    public void apply(HttpCall call, EndpointClient caller) {
      call.set("Authorization", value(user, password));
    }

    static String value(String user, String password) {
      return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String identity(EndpointClient caller) {
      return CacheKey.of("basic", user, password).hash();
    }

    @Override
    public String toString() {
      return "basic";
    }
  }

  /** A fixed value in a header field, a cookie or a query parameter. */
  record ApiKey(Place in, String name, String value) implements Credentials {
    /** The place of the key in a request. */
    public enum Place {
      HEADER, COOKIE, QUERY
    }

    @Override
    public void apply(HttpCall call, EndpointClient caller) {
      switch (in) {
        case HEADER -> call.set(name, value);
        case COOKIE -> call.cookie(name, value);
        case QUERY -> call.query(name, value);
      }
    }

    @Override
    public String identity(EndpointClient caller) {
      return CacheKey.of("key", in.name(), name, value).hash();
    }

    @Override
    public String toString() {
      return "key";
    }
  }

  /** An access token got by client credentials (RFC 6749, 4.4). */
  record Token(ClientCredentials source, String header, Optional<String> scheme) implements Credentials {
    @Override
    public void apply(HttpCall call, EndpointClient caller) throws CallFailure {
      try {
        AccessToken token = source.token(caller);
        call.set(header, scheme.filter(s -> !s.isEmpty()).orElse(token.type()) + " " + token.value());
      } catch (CallFailure.Exhausted e) {
        throw e;
      } catch (CallFailure e) {
        throw new CallFailure.Unauthenticated(e.getMessage(), e instanceof CallFailure.TimedOut);
      }
    }

    @Override
    public boolean secure(boolean tlsOnly, Problems problems) {
      return source.secure(tlsOnly, problems);
    }

    @Override
    public void useKeys(EndpointClient caller) {
      source.hold(caller);
    }

    @Override
    public boolean isConstant() {
      return false;
    }

    @Override
    public String identity(EndpointClient caller) {
      return CacheKey.of("token", header, scheme.isPresent() ? "scheme " + scheme.get() : "", source.identity(caller))
          .hash();
    }
  }

  /** A signature of the call (RFC 9421). */
  record Signed(MessageSigner signer) implements Credentials {
    @Override
    public void sign(HttpCall call, EndpointClient caller) throws CallFailure {
      signer.sign(call, caller);
    }

    @Override
    public boolean secure(boolean tlsOnly, Problems problems) {
      return signer.hasKey(problems);
    }

    @Override
    public void useKeys(EndpointClient caller) {
      signer.useKeys(caller);
    }

    @Override
    public boolean isConstant() {
      return false;
    }

    @Override
    public String identity(EndpointClient caller) {
      return signer.identity(caller);
    }
  }
}
