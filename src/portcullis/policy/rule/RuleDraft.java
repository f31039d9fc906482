package portcullis.policy.rule;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PartialList;
import portcullis.lang.source.LocatedText;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.route.EncodedSlashes;

/** A rule as it is written. @param shadow whether it decides nothing, and is only compared */
record RuleDraft(RuleSetVersion version, Node.Mapping node, Optional<LocatedText> id, boolean shadow,
    MatchDraft match,
    EncodedSlashes slashes,
    UnaryOperator<ReadingPolicy> readings,
    Optional<Backend> backend, Optional<Duration> revalidate, PartialList<StepDraft> execute,
    PartialList<StepDraft> onError) {
  static final String MODE = "mode";
  private static final String SHADOW = "shadow";
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /**
   * Returns the decoder of a rule, which keeps the parts that are valid.
   *
   * @param needsBackend whether every rule has to name an upstream
   * @param tlsOnly whether a rewrite to plain http is refused
   */
  static Decoder<RuleDraft> decoder(RuleSetVersion version, boolean needsBackend, boolean tlsOnly) {
    Key<Optional<LocatedText>> id = Key.required("id", MatchDraft.present(name()), "the rule's name");
    Key<String> mode = Key.withDefault(MODE, Decoders.oneOf("live", SHADOW), "live",
        "`shadow` for a rule whose decisions have no effect and are compared with the live ones");
    Key<MatchDraft> match = Key.required("match", MatchDraft.decoder(version), "the requests that the rule applies to");
    Key<EncodedSlashes> slashes = Key.withDefault("allow_encoded_slashes", Decoders.choice(MatchDraft.named(
        List.of(EncodedSlashes.values()), EncodedSlashes::name)), EncodedSlashes.OFF, "how `%2F` in paths is handled");
    Key<Optional<UnaryOperator<ReadingPolicy>>> readings = Key.optional("readings", ReadingPolicy.decoder(),
        "the alternative readings of requests that the rule guards against");
    Key<Optional<Backend>> backend = Key.optional("forward_to", Backend.decoder(tlsOnly), "the upstream");
    Key<Optional<Duration>> revalidate = Key.optional("revalidate", interval(),
        "the interval at which WebSockets and other long-lived exchanges are decided again, at least 1s; by default "
            + "only if the rules change");
    Key<PartialList<StepDraft>> execute = Key.required("execute", StepDraft.list(StepDraft.EXECUTE, 1, version),
        "the steps");
    Key<PartialList<StepDraft>> onError = Key.withDefault("on_error", StepDraft.list(StepDraft.ON_ERROR, 0, version),
        PartialList.none(),
        "the error handlers");
    return Decoders.partial("a rule",
        List.of(id, mode, match, slashes, readings, backend, revalidate, execute, onError),
        (parts, problems) -> {
          if (needsBackend && !parts.has(backend)) {
            problems.error(parts.node().at(), parts.node().path(), "`forward_to` is missing", "proxy mode needs an "
                + "upstream for every rule");
          }
          return Optional
              .of(new RuleDraft(version, parts.node(), parts.or(id, Optional.empty()),
                  parts.or(mode, "").equals(SHADOW),
                  parts.or(match, MatchDraft.UNREAD),
                  parts.or(slashes, EncodedSlashes.OFF),
                  parts.or(readings, Optional.empty()).orElse(UnaryOperator.identity()),
                  parts.or(backend, Optional.empty()), parts.or(revalidate, Optional.empty()),
                  parts.or(execute, PartialList.unread()),
                  parts.or(onError, PartialList.unread())));
        });
  }

  private static Decoder<Duration> interval() {
    return Decoders.duration().then((time, node, problems) -> {
      if (time.compareTo(SHORTEST) < 0) {
        problems.error(node.at(), node.path(), "must be at least 1s", "as in `revalidate: 5m`");
        return Optional.empty();
      }
      return Optional.of(time);
    });
  }

  private static Decoder<LocatedText> name() {
    return Decoders.located().then((text, node, problems) -> {
      if (text.text().isBlank()) {
        problems.error(node.at(), node.path(), "must not be empty", "");
        return Optional.empty();
      }
      return Optional.of(text);
    });
  }
}
