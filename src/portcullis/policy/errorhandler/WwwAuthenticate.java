package portcullis.policy.errorhandler;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.policy.mechanism.HandlerResponse;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.StepFailure;

/** Asks for user and password by the Basic scheme (RFC 7617, 2). */
public record WwwAuthenticate(String realm) implements Mechanism.ErrorHandler {
  public static final MechanismType<String, Mechanism.ErrorHandler> TYPE = MechanismType.of(
      Mechanism.ErrorHandler.class, "www_authenticate", settings(), _ -> settings(),
      (realm, _, _) -> Optional.of(new WwwAuthenticate(realm)))
      .purpose("Answers 401 with a `WWW-Authenticate` challenge, so that browsers ask for user name and "
          + "password.");

  private static Decoder<String> settings() {
    Key<String> realm = Key.withDefault("realm", Decoders.nonEmpty(), "Please authenticate",
        "the realm of the challenge");
    return Decoders.object("settings", List.of(realm), parts -> parts.get(realm));
  }

  @Override
  public Optional<HandlerResponse> answer(StepFailure stepFailure, PipelineState state) {
    String quoted = realm.replace("\\", "\\\\").replace("\"", "\\\"");
    return Optional
        .of(HandlerResponse
            .explaining(Response.of(401, Fields.of("WWW-Authenticate", "Basic realm=\"" + quoted + "\""))));
  }
}
