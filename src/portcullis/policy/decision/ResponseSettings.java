package portcullis.policy.decision;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.policy.mechanism.RefusalStatus;

/**
 * The settings of error responses.
 *
 * @param verbose whether responses have a body with the message
 * @param emptyHeaders whether the decision service adds empty fields for protected headers that the rule does not set
 */
public record ResponseSettings(boolean verbose, Codes with, boolean emptyHeaders) {
  public static final ResponseSettings DEFAULT = new ResponseSettings(false, Codes.DEFAULT, false);

  /** The status of each kind of answer. */
  public record Codes(int accepted, int authentication, int authorization, int communication, int precondition,
      int noRule,
      int tooMany, int internal) {
    static final Codes DEFAULT = new Codes(200, 401, 403, 502, 400, 404, 429, 500);

    /** Returns the status of a failure of this kind. */
    public int of(FailureKind kind) {
      return switch (kind) {
        case EXHAUSTED, UNAVAILABLE -> 503;
        case TOO_MANY_REQUESTS -> tooMany;
        case AUTHENTICATION -> authentication;
        case AUTHORIZATION -> authorization;
        case COMMUNICATION -> communication;
        case PRECONDITION -> precondition;
        case NO_RULE -> noRule;
        case INTERNAL -> internal;
      };
    }
  }

  /** Reads the section {@code respond}. */
  public static Decoder<ResponseSettings> decoder() {
    Key<Boolean> verbose = Key.withDefault("verbose", Decoders.flag(), false,
        "whether responses state the reason of a failure");
    Key<Codes> with = Key.withDefault("with", codes(), Codes.DEFAULT, "the status by kind of response");
    Key<Boolean> empty = Key.withDefault("empty_headers", Decoders.flag(), false,
        "whether the decision service answers with protected headers that the rule does not set, empty");
    return Decoders.object("answers", List.of(verbose, with, empty),
        parts -> new ResponseSettings(parts.get(verbose), parts.get(with), parts.get(empty)));
  }

  private static Decoder<Codes> codes() {
    Key<Optional<Integer>> accepted = status("accepted", Decoders.number(200, 599));
    Key<Optional<Integer>> authentication = status("authentication_error");
    Key<Optional<Integer>> authorization = status("authorization_error");
    Key<Optional<Integer>> communication = status("communication_error");
    Key<Optional<Integer>> internal = status("internal_error");
    Key<Optional<Integer>> noRule = status("no_rule_error");
    Key<Optional<Integer>> precondition = status("precondition_error");
    Key<Optional<Integer>> argument = status("argument_error");
    Key<Optional<Integer>> tooMany = status("too_many_requests_error");
    Codes s = Codes.DEFAULT;
    return Decoders.object("statuses", List.of(accepted, authentication, authorization, communication, internal, noRule,
        precondition, argument, tooMany),
        p -> new Codes(p.get(accepted).orElse(s.accepted), p.get(authentication).orElse(s.authentication),
            p.get(authorization).orElse(s.authorization), p.get(communication).orElse(s.communication),
            p.get(precondition).or(() -> p.get(argument)).orElse(s.precondition), p.get(noRule).orElse(s.noRule),
            p.get(tooMany).orElse(s.tooMany), p.get(internal).orElse(s.internal)));
  }

  private static Key<Optional<Integer>> status(String name) {
    return status(name, RefusalStatus.decoder(200)); // what is lower would be no whole response
  }

  private static Key<Optional<Integer>> status(String name, Decoder<Integer> decoder) {
    Key<Integer> code = Key.required("code", decoder, "the status");
    return Key.optional(name, Decoders.object("a status", List.of(code), p -> p.get(code)),
        "the status of this kind of response");
  }
}
