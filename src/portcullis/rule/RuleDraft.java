package portcullis.rule;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.route.EncodedSlashes;
import portcullis.source.LocatedText;

/** A rule as it is written. */
record RuleDraft(LocatedText id, MatchDraft match, EncodedSlashes slashes, Optional<Backend> backend,
    List<StepDraft> execute, List<StepDraft> onError) {
  /**
   * @param needsBackend whether every rule has to name an upstream
   * @param tlsOnly whether a rewrite to plain http is refused
   */
  static Decoder<RuleDraft> decoder(boolean needsBackend, boolean tlsOnly) {
    Key<LocatedText> id = Key.required("id", Decoders.located(), "the rule's name");
    Key<MatchDraft> match = Key.required("match", MatchDraft.decoder(), "what it is for");
    Key<EncodedSlashes> slashes = Key.standard("allow_encoded_slashes", Decoders.choice(MatchDraft.named(
        List.of(EncodedSlashes.values()), EncodedSlashes::name)), EncodedSlashes.OFF, "what becomes of `%2F` in paths");
    Key<Optional<Backend>> backend = Key.optional("forward_to", Backend.decoder(tlsOnly), "where requests go");
    Key<List<StepDraft>> execute = Key.required("execute", StepDraft.list(StepDraft.EXECUTE, 1), "the steps");
    Key<List<StepDraft>> onError = Key.standard("on_error", StepDraft.list(StepDraft.ON_ERROR, 0), List.of(),
        "what answers failures");
    return Decoders.checked("a rule", List.of(id, match, slashes, backend, execute, onError), (parts, problems) -> {
      if (needsBackend && parts.get(backend).isEmpty()) {
        problems.error(parts.node().at(), parts.node().path(), "`forward_to` is missing", "proxy mode needs an upstream for every rule");
        return Optional.empty();
      }
      if (parts.get(id).text().isBlank()) {
        problems.error(parts.at(id), parts.get(id).path(), "must not be empty", "");
        return Optional.empty();
      }
      return Optional.of(new RuleDraft(parts.get(id), parts.get(match), parts.get(slashes), parts.get(backend),
          parts.get(execute), parts.get(onError)));
    });
  }
}
