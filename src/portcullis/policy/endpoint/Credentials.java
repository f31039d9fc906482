package portcullis.policy.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import portcullis.lang.source.Problems;
import portcullis.policy.cache.CacheKey;

/** How a call proves who makes it. */
public sealed interface Credentials {
  Credentials NONE = new None();

  /** Puts them into the call, before the endpoint's own fields. */
  default void put(HttpCall call, EndpointClient caller) throws CallFailure {
    // most do
  }

  /** Adds what speaks for the call as a whole, once all else is in it. */
  default void seal(HttpCall call, EndpointClient caller) throws CallFailure {
    // most do not
  }

  /** Whether they may be used, where TLS may be insisted on, and can be had; adds a problem where not. */
  default boolean secure(boolean tlsOnly, Problems problems) {
    return true;
  }

  /** Has the caller hold the keys that they sign with, if there are any. */
  default void useKeys(EndpointClient caller) {
    // most have none
  }

  /** Everything about them that makes a difference to the answer, for cache keys; tells nobody what they are. */
  String identity(EndpointClient caller);

  /** Calls without credentials. */
  record None() implements Credentials {
    @Override
    public String identity(EndpointClient caller) {
      return "none";
    }
  }

  /** User and password (RFC 7617). */
  record Basic(String user, String password) implements Credentials {
    @Override
    public void put(HttpCall call, EndpointClient caller) {
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

  /** A fixed value in a place of its own. */
  record ApiKey(Place in, String name, String value) implements Credentials {
    /** Where the key is put. */
    public enum Place {
      HEADER, COOKIE, QUERY
    }

    @Override
    public void put(HttpCall call, EndpointClient caller) {
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
    public void put(HttpCall call, EndpointClient caller) throws CallFailure {
      try {
        AccessToken token = source.token(caller);
        call.set(header, scheme.filter(s -> !s.isEmpty()).orElse(token.type()) + " " + token.value());
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
    public String identity(EndpointClient caller) {
      return CacheKey.of("token", header, scheme.isPresent() ? "scheme " + scheme.get() : "", source.identity(caller))
          .hash();
    }
  }

  /** A signature of the call (RFC 9421). */
  record Signed(MessageSigner signer) implements Credentials {
    @Override
    public void seal(HttpCall call, EndpointClient caller) throws CallFailure {
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
    public String identity(EndpointClient caller) {
      return signer.identity(caller);
    }
  }
}
