package portcullis.catalogue;

import java.util.List;
import portcullis.authenticator.Anonymous;
import portcullis.authenticator.BasicAuth;
import portcullis.authenticator.GenericAuthenticator;
import portcullis.authenticator.Introspection;
import portcullis.authenticator.JwtAuthenticator;
import portcullis.authenticator.Unauthorized;
import portcullis.authorizer.Allow;
import portcullis.authorizer.Cel;
import portcullis.authorizer.Deny;
import portcullis.authorizer.Remote;
import portcullis.contextualizer.GenericContextualizer;
import portcullis.contextualizer.MapContextualizer;
import portcullis.errorhandler.DefaultHandler;
import portcullis.errorhandler.GenericHandler;
import portcullis.errorhandler.Redirect;
import portcullis.errorhandler.WwwAuthenticate;
import portcullis.finalizer.ClientCredentialsFinalizer;
import portcullis.finalizer.CookieFinalizer;
import portcullis.finalizer.HeaderFinalizer;
import portcullis.finalizer.JwtFinalizer;
import portcullis.finalizer.Noop;
import portcullis.mechanism.Mechanism;

/** All types of mechanisms; a new one is a file and a line here. */
final class Types {
  static final Kind<Mechanism.Authenticator> AUTHENTICATORS = new Kind<>(Mechanism.Authenticator.class, "authenticator",
      "authenticators", List.of(Unauthorized.TYPE, Anonymous.TYPE, GenericAuthenticator.TYPE, JwtAuthenticator.TYPE,
          Introspection.TYPE, BasicAuth.TYPE));
  static final Kind<Mechanism.Authorizer> AUTHORIZERS = new Kind<>(Mechanism.Authorizer.class, "authorizer",
      "authorizers", List.of(Allow.TYPE, Deny.TYPE, Cel.TYPE, Remote.TYPE));
  static final Kind<Mechanism.Contextualizer> CONTEXTUALIZERS = new Kind<>(Mechanism.Contextualizer.class, "contextualizer",
      "contextualizers", List.of(GenericContextualizer.TYPE, MapContextualizer.TYPE));
  static final Kind<Mechanism.Finalizer> FINALIZERS = new Kind<>(Mechanism.Finalizer.class, "finalizer", "finalizers",
      List.of(Noop.TYPE, HeaderFinalizer.TYPE, CookieFinalizer.TYPE, JwtFinalizer.TYPE, ClientCredentialsFinalizer.TYPE));
  static final Kind<Mechanism.ErrorHandler> ERROR_HANDLERS = new Kind<>(Mechanism.ErrorHandler.class, "error handler",
      "error_handlers", List.of(DefaultHandler.TYPE, GenericHandler.TYPE, Redirect.TYPE, WwwAuthenticate.TYPE));
  static final List<Kind<?>> ALL = List.of(AUTHENTICATORS, AUTHORIZERS, CONTEXTUALIZERS, FINALIZERS, ERROR_HANDLERS);

  private Types() {}
}
