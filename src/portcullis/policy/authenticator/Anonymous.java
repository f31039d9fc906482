package portcullis.policy.authenticator;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/** Accepts every request, with a subject that has the configured id. */
public record Anonymous(Subject subject) implements Mechanism.Authenticator {
  private static final String NAME = "anonymous";

  public static final MechanismType<String, Mechanism.Authenticator> TYPE = MechanismType
      .of(Mechanism.Authenticator.class,
          "anonymous", settings(NAME), Anonymous::settings,
          (name, _, _) -> Optional.<Mechanism.Authenticator>of(of(name)))
      .orElse(NAME)
      .purpose("Accepts every request, with a subject that has a fixed identifier and no attributes.");

  private static Anonymous of(String name) {
    return new Anonymous(new Subject(name, Value.Dict.EMPTY));
  }

  /** @param name the default id */
  private static Decoder<String> settings(String name) {
    Key<String> subject = Key.withDefault("subject", Decoders.nonEmpty(), name,
        "the subject identifier of all requests");
    return Decoders.object("settings", List.of(subject), parts -> parts.get(subject));
  }

  @Override
  public Subject authenticate(PipelineState state) {
    return subject;
  }

  @Override
  public boolean open() {
    return true;
  }
}
