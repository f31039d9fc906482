package portcullis.verify;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.config.Shape;
import portcullis.config.Yaml;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Nearest;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Subject;

/**
 * A file of intents: what rules never or always have to do, which roles users have, and findings that were reviewed
 * and accepted.
 */
public record Intents(SequencedMap<String, Role> roles, List<Intent> intents, List<Accepted> exceptions) {
  /** Intents of no file. */
  public static final Intents NONE = new Intents(new LinkedHashMap<>(), List.of(), List.of());

  /**
   * Users of one kind.
   *
   * @param attributes of the subject, as authenticators determine them
   * @param authenticators that accept users with this role only
   */
  record Role(Value.Dict attributes, Set<String> authenticators) {
    Subject subject() {
      return new Subject(AccessCheck.SOMEBODY.id(), attributes);
    }
  }

  /**
   * A finding that is accepted.
   *
   * @param id of the finding, {@code *} for any characters
   * @param reason for readers of reports
   */
  record Accepted(String id, String reason, Origin at) {
    boolean isFor(Finding finding) {
      return Stub.matches(id, finding.id());
    }

    /** Returns the kind of the findings that it is for; empty for several. */
    String kind() {
      int end = id.indexOf('/');
      String kind = end < 0 ? id : id.substring(0, end);
      return kind.contains("*") ? "" : kind;
    }
  }

  private static final Key<SequencedMap<String, Value>> ATTRIBUTES = Key.withDefault("attributes",
      Decoders.map(PlainValues.decoder()), new LinkedHashMap<>(), "attributes of the subject of such users");
  private static final Key<List<String>> AUTHENTICATORS = Key.withDefault("authenticators",
      Intent.oneOrMore(Decoders.nonEmpty()), List.of(), "ids of authenticators that accept such users only");
  private static final Key<SequencedMap<String, Role>> ROLES = Key.withDefault("roles",
      Decoders.map(Decoders.object("a role", List.of(ATTRIBUTES, AUTHENTICATORS),
          p -> new Role(new Value.Dict(p.get(ATTRIBUTES)), Set.copyOf(p.get(AUTHENTICATORS))))),
      new LinkedHashMap<>(), "kinds of users, by name");
  private static final Key<List<Intent>> INTENTS = Key.withDefault("intents", Decoders.list(Intent.decoder()),
      List.of(), "what rules never or always have to do");
  private static final Key<String> ID = Key.required("id", Decoders.nonEmpty(),
      "id of a finding, `*` for any part");
  private static final Key<String> REASON = Key.required("reason", Decoders.nonEmpty(), "why it is accepted");
  private static final Key<List<Accepted>> EXCEPTIONS = Key.withDefault("exceptions",
      Decoders.list(Decoders.checked("an exception", List.of(ID, REASON), (p, problems) -> {
        Accepted exception = new Accepted(p.get(ID), p.get(REASON), p.node().at());
        boolean known = exception.kind().isEmpty() || Finding.KINDS.contains(exception.kind());
        if (!known) {
          problems.error(p.node().at(), p.node().path(), "there are no findings of the kind `" + exception.kind()
              + "`", Nearest.hint(exception.kind(), Finding.KINDS));
        }
        return known ? Optional.of(exception) : Optional.empty();
      })), List.of(), "findings that were reviewed and accepted");

  /** Returns what such a file looks like. */
  public static Shape shape() {
    return decoder().shape();
  }

  private static Decoder<Intents> decoder() {
    return Decoders.checked("intents", List.of(ROLES, INTENTS, EXCEPTIONS), (p, problems) -> {
      boolean good = true;
      Map<String, Intent> known = new HashMap<>();
      for (Intent intent : p.get(INTENTS)) {
        good &= intent.isRoleDeclared(p.get(ROLES).keySet(), problems);
        Intent first = known.putIfAbsent(intent.id(), intent);
        if (first != null) {
          problems.error(intent.at(), "", "two intents have the id `" + intent.id() + "`",
              "the other one is at " + first.at().text());
          good = false;
        }
      }
      return good ? Optional.of(new Intents(p.get(ROLES), p.get(INTENTS), p.get(EXCEPTIONS))) : Optional.empty();
    });
  }

  /** Reads a file; empty exactly if an error was added. */
  public static Optional<Intents> read(SourceFile file, Problems problems) {
    long before = problems.errors();
    Optional<Node> root = Yaml.read(file, problems);
    if (root.isEmpty() && problems.errors() == before) {
      problems.error(LocatedText.of(file.name(), "").at(0), "", "the file has no intents", "it needs `intents`");
    }
    return root.flatMap(node -> decoder().decode(node, problems));
  }

}
