package portcullis.policy.authorizer;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.expression.Available;
import portcullis.lang.expression.ErrorKind;
import portcullis.policy.mechanism.Checks;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Values;

/** Allows a request if all expressions are true; they read Request, Subject, Outputs and Values. */
public record Cel(Config config) implements Mechanism.Authorizer {
  private static final Available READ = Available.of("Request", "Subject", "Outputs", "Values");
  public static final MechanismType<Config, Mechanism.Authorizer> TYPE = MechanismType.of(Mechanism.Authorizer.class,
      "cel", settings(), Cel::refined, (config, _, _) -> Optional.of(new Cel(config)))
      .purpose("Allows a request if all its CEL expressions are true.")
      .fails(ErrorKind.AUTHORIZATION, "an expression is false")
      .fails(ErrorKind.INTERNAL, "an expression cannot be evaluated, as where it reads an attribute that is not there");

  /** @param message of expressions without a message of their own */
  public record Config(List<Checks.Check> expressions, Optional<String> message, Values values) {}

  private static Decoder<Config> settings() {
    Key<List<Checks.Check>> expressions = Key.required("expressions", Checks.decoder(1, READ),
        "expressions that must all be true");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that expressions read as `Values`");
    return Decoders.object("settings", List.of(expressions, values),
        parts -> new Config(parts.get(expressions), Optional.empty(), parts.get(values)));
  }

  private static Decoder<Config> refined(Config config) {
    Key<List<Checks.Check>> expressions = Key.withDefault("expressions", Checks.decoder(0, READ), List.of(),
        "overrides the expressions of the definition").restricting();
    Key<Optional<String>> message = Key.optional("message", Decoders.text(), "what to say of an expression without "
        + "message");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "overrides values with the same name");
    return Decoders.object("settings", List.of(expressions, message, values), parts -> new Config(
        parts.get(expressions).isEmpty() ? config.expressions : parts.get(expressions),
        parts.get(message).or(config::message), config.values.overlaid(parts.get(values))));
  }

  @Override
  public Mechanism.Outcome authorize(PipelineState state) throws Failure {
    Checks.verify(config.expressions, config.message, config.values.in(state.scope()));
    return Mechanism.Outcome.PASSED;
  }
}
