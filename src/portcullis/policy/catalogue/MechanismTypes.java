package portcullis.policy.catalogue;

import java.util.List;
import portcullis.policy.authenticator.Anonymous;
import portcullis.policy.authenticator.ApiKeyAuthenticator;
import portcullis.policy.authenticator.BasicAuth;
import portcullis.policy.authenticator.ClientCertificate;
import portcullis.policy.authenticator.GenericAuthenticator;
import portcullis.policy.authenticator.Introspection;
import portcullis.policy.authenticator.JwtAuthenticator;
import portcullis.policy.authenticator.Unauthorized;
import portcullis.policy.authorizer.Allow;
import portcullis.policy.authorizer.Cel;
import portcullis.policy.authorizer.Deny;
import portcullis.policy.authorizer.RateLimit;
import portcullis.policy.authorizer.Remote;
import portcullis.policy.contextualizer.GenericContextualizer;
import portcullis.policy.contextualizer.MapContextualizer;
import portcullis.policy.errorhandler.DefaultHandler;
import portcullis.policy.errorhandler.GenericHandler;
import portcullis.policy.errorhandler.Redirect;
import portcullis.policy.errorhandler.WwwAuthenticate;
import portcullis.policy.finalizer.ClientCredentialsFinalizer;
import portcullis.policy.finalizer.CookieFinalizer;
import portcullis.policy.finalizer.HeaderFinalizer;
import portcullis.policy.finalizer.JwtFinalizer;
import portcullis.policy.finalizer.Noop;
import portcullis.policy.login.OidcAuthenticator;
import portcullis.policy.mechanism.Mechanism;

/** The registry of all mechanism types; a new type is one file and one line here. */
final class MechanismTypes {
  static final MechanismKind<Mechanism.Authenticator> AUTHENTICATORS = new MechanismKind<>(
      Mechanism.Authenticator.class, "authenticator",
      "authenticators", List.of(Unauthorized.TYPE, Anonymous.TYPE, GenericAuthenticator.TYPE, JwtAuthenticator.TYPE,
          Introspection.TYPE, BasicAuth.TYPE, ApiKeyAuthenticator.TYPE, ClientCertificate.TYPE,
          OidcAuthenticator.TYPE));
  static final MechanismKind<Mechanism.Authorizer> AUTHORIZERS = new MechanismKind<>(Mechanism.Authorizer.class,
      "authorizer",
      "authorizers", List.of(Allow.TYPE, Deny.TYPE, Cel.TYPE, Remote.TYPE, RateLimit.TYPE));
  static final MechanismKind<Mechanism.Contextualizer> CONTEXTUALIZERS = new MechanismKind<>(
      Mechanism.Contextualizer.class,
      "contextualizer",
      "contextualizers", List.of(GenericContextualizer.TYPE, MapContextualizer.TYPE));
  static final MechanismKind<Mechanism.Finalizer> FINALIZERS = new MechanismKind<>(Mechanism.Finalizer.class,
      "finalizer", "finalizers",
      List.of(Noop.TYPE, HeaderFinalizer.TYPE, CookieFinalizer.TYPE, JwtFinalizer.TYPE,
          ClientCredentialsFinalizer.TYPE));
  static final MechanismKind<Mechanism.ErrorHandler> ERROR_HANDLERS = new MechanismKind<>(Mechanism.ErrorHandler.class,
      "error handler",
      "error_handlers", List.of(DefaultHandler.TYPE, GenericHandler.TYPE, Redirect.TYPE, WwwAuthenticate.TYPE));
  static final List<MechanismKind<?>> ALL = List.of(AUTHENTICATORS, AUTHORIZERS, CONTEXTUALIZERS, FINALIZERS,
      ERROR_HANDLERS);

  private MechanismTypes() {}
}
