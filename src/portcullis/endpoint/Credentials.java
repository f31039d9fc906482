package portcullis.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import portcullis.source.Problems;

/** How a call proves who makes it. */
public sealed interface Credentials {
  Credentials NONE = new None();

  /** Puts them into the call. */
  void put(Call call, Caller caller) throws CallFailure;

  /** Whether they may be used where TLS is insisted on; adds a problem where not. */
  default boolean secure(boolean tlsOnly, Problems problems) {
    return true;
  }

  /** Everything about them that makes a difference to the answer, for cache keys. */
  String identity();

  /** Calls without credentials. */
  record None() implements Credentials {
    @Override
    public void put(Call call, Caller caller) {
      // there are none
    }

    @Override
    public String identity() {
      return "none";
    }
  }

  /** User and password (RFC 7617). */
  record Basic(String user, String password) implements Credentials {
    @Override
    public void put(Call call, Caller caller) {
      call.set("Authorization", value(user, password));
    }

    static String value(String user, String password) {
      return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String identity() {
      return "basic " + user.length() + ":" + user + password;
    }
  }

  /** A fixed value in a place of its own. */
  record ApiKey(Place in, String name, String value) implements Credentials {
    /** Where the key is put. */
    public enum Place { HEADER, COOKIE, QUERY }

    @Override
    public void put(Call call, Caller caller) {
      switch (in) {
        case HEADER -> call.set(name, value);
        case COOKIE -> call.cookie(name, value);
        case QUERY -> call.query(name, value);
      }
    }

    @Override
    public String identity() {
      return "key " + in + " " + name.length() + ":" + name + value;
    }
  }

  /** An access token got by client credentials (RFC 6749, 4.4). */
  record Token(ClientCredentials source, String header, Optional<String> scheme) implements Credentials {
    @Override
    public void put(Call call, Caller caller) throws CallFailure {
      try {
        AccessToken token = source.token(caller);
        call.set(header, scheme.orElse(token.type()) + " " + token.value());
      } catch (CallFailure e) {
        throw new CallFailure.Unauthenticated(e.getMessage(), e instanceof CallFailure.TimedOut);
      }
    }

    @Override
    public boolean secure(boolean tlsOnly, Problems problems) {
      return source.secure(tlsOnly, problems);
    }

    @Override
    public String identity() {
      return "token " + header + " " + scheme + " " + source.identity();
    }
  }
}
