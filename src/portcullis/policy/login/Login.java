package portcullis.policy.login;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.crypto.session.SessionKeys;
import portcullis.http.message.Request;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/** A definition of a login: its settings, providers and sessions. Thread safe. */
final class Login {
  private static final int NAME_LENGTH = 12;

  private final LoginSettings settings;
  private final MechanismContext context;
  private final List<Provider> providers;
  private final Sessions sessions;
  private final String name;

  Login(LoginSettings settings, Supplier<SessionKeys> keys, MechanismContext context) {
    this.settings = settings;
    this.context = context;
    providers = settings.providers().stream().map(one -> new Provider(one, settings.leeway(), context)).toList();
    sessions = new Sessions(settings, keys, context);
    name = settings.identity().substring(0, NAME_LENGTH);
  }

  LoginSettings settings() {
    return settings;
  }

  MechanismContext context() {
    return context;
  }

  List<Provider> providers() {
    return providers;
  }

  Sessions sessions() {
    return sessions;
  }

  /** Returns the name of this login at its endpoints. */
  String name() {
    return name;
  }

  Optional<Provider> provider(String id) {
    return providers.stream().filter(provider -> provider.settings().id().equals(id)).findFirst();
  }

  void forget() {
    providers.forEach(Provider::forget);
  }

  /**
   * Returns scheme and host of a request, by which the provider sends the browser back.
   *
   * @throws Failure.Precondition if browsers would not keep the cookies: without TLS they do so for the local host only
   */
  static String origin(Request request) throws Failure.Precondition {
    String host = request.url().host().host();
    boolean local = host.equals("localhost") || host.endsWith(".localhost") || host.equals("127.0.0.1")
        || host.equals("[::1]");
    if (!request.url().scheme().equals("https") && !local) {
      throw new Failure.Precondition("a login needs https",
          "the request came by http; behind a proxy that ends TLS, list it in `trusted_proxies`");
    }
    return request.url().scheme() + "://" + request.url().host();
  }
}
