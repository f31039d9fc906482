package portcullis.verify;

import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.config.Yaml;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Subject;
import portcullis.serve.service.DryRun;

/**
 * The cases of a {@code *_test.yaml}.
 *
 * @param config the configuration that the file names; empty for that of the command line
 * @param rules the rule set or folder that the file names; empty for those of the configuration
 * @param rulesAt where the file names them
 */
record TestFile(SourceFile source, Optional<Path> config, Optional<Path> rules, Origin rulesAt, List<TestCase> cases) {
  private static final Key<Optional<String>> CONFIG = Key.optional("config", Decoders.nonEmpty(),
      "configuration, relative to this file");
  private static final Key<Optional<String>> RULES = Key.optional("rules", Decoders.nonEmpty(),
      "rule set or folder of rule sets, relative to this file");
  private static final Key<Optional<Instant>> NOW = Key.optional("now", instant(), "what the clock shows");
  private static final Key<Optional<Integer>> SEED = Key.optional("seed", Decoders.number(0, Integer.MAX_VALUE),
      "where random numbers begin");
  private static final Key<SequencedMap<String, TestTokens.Draft>> TOKENS = Key.withDefault("tokens",
      Decoders.map(TestTokens.Draft.decoder()), new LinkedHashMap<>(), "tokens for `<token:NAME>`");
  private static final Key<List<Stub>> STUBS = Key.withDefault("stubs", Decoders.list(Stub.decoder()), List.of(),
      "answers in place of remote services");
  private static final Key<Optional<Node>> SHARED = Key.optional("stubs", Decoders.node(), "answers for all cases");
  private static final Key<List<Node>> CASES = Key.required("cases", Decoders.list(Decoders.node(), 1), "the cases");

  private static final String EXHAUSTED = "exhausted";
  private static final Key<String> NAME = Key.required("name", Decoders.nonEmpty(), "what the case shows");
  private static final Key<DryRun.Draft> REQUEST = Key.required("request", TestRequest.decoder(), "the request");
  private static final Key<Optional<Subject>> SUBJECT = Key.optional("subject", subject(),
      "in place of authentication: an id, or ID and Attributes");
  private static final Key<String> LIMITS = Key.withDefault("limits", Decoders.oneOf("free", EXHAUSTED), "free",
      "whether rates and lockouts refuse the request: `free` or `exhausted`");
  private static final Key<Expectation> EXPECT = Key.required("expect", Expectation.decoder(), "what is expected");
  private static final String TABLE = "table";

  /** Reads a file of test cases; empty exactly if an error was added. */
  static Optional<TestFile> read(Path file, SourceFile text, Problems problems) {
    long before = problems.errors();
    Optional<Node> root = Yaml.read(text, problems);
    if (root.isEmpty()) {
      if (problems.errors() == before) {
        problems.error(LocatedText.of(text.name(), "").at(0), "", "the file has no test cases", "it needs `cases`");
      }
      return Optional.empty();
    }
    Decoder<TestFile> decoder = Decoders.checked("tests", List.of(CONFIG, RULES, NOW, SEED, TOKENS, SHARED, CASES),
        (p, found) -> make(file, text, p, found));
    return decoder.decode(root.get(), problems);
  }

  private static Optional<TestFile> make(Path file, SourceFile text, DecodedMembers p, Problems problems) {
    long before = problems.errors();
    List<TestCase> cases = new ArrayList<>();
    TestTokens signer = new TestTokens();
    Map<String, String> tokens = signer.texts(p.get(TOKENS), p.get(NOW));
    List<Stub> shared = p.get(SHARED).map(node -> TestTokens.filled(node, tokens))
        .flatMap(node -> STUBS.decoder().decode(node, problems)).orElse(List.of());
    for (Node node : p.get(CASES)) {
      for (Node row : CaseTable.rows(node, TABLE, problems)) {
        one(p, shared).decode(TestTokens.filled(row, tokens), problems).ifPresent(cases::add);
      }
    }
    Path folder = file.toAbsolutePath().getParent();
    return problems.errors() > before ? Optional.empty()
        : Optional.of(new TestFile(text, p.get(CONFIG).map(folder::resolve), p.get(RULES).map(folder::resolve),
            p.at(RULES), List.copyOf(cases)));
  }

  private static Decoder<TestCase> one(DecodedMembers file, List<Stub> shared) {
    return Decoders.object("a test case", List.of(NAME, REQUEST, NOW, SEED, STUBS, LIMITS, SUBJECT, EXPECT), p -> {
      List<Stub> stubs = new ArrayList<>(p.get(STUBS));
      stubs.addAll(shared);
      return new TestCase(p.get(NAME), p.node().at(), p.get(REQUEST), p.get(NOW).or(() -> file.get(NOW)),
          p.get(SEED).or(() -> file.get(SEED)).orElse(0), List.copyOf(stubs), p.get(STUBS).size(),
          p.get(LIMITS).equals(EXHAUSTED), p.get(SUBJECT), p.get(EXPECT));
    });
  }

  private static Decoder<Instant> instant() {
    return Decoders.located().then((text, node, problems) -> {
      try {
        return Optional.of(Instant.parse(text.text()));
      } catch (DateTimeParseException _) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text.text()) + "` is not a time",
            "write it like `2026-01-31T12:00:00Z`");
        return Optional.empty();
      }
    });
  }

  private static Decoder<Subject> subject() {
    Key<String> id = Key.required("ID", Decoders.text(), "the identifier");
    Key<SequencedMap<String, Value>> attributes = Key.withDefault("Attributes", Decoders.map(PlainValues.decoder()),
        new LinkedHashMap<>(), "what else is known");
    Decoder<Subject> mapping = Decoders.object("a subject", List.of(id, attributes),
        p -> new Subject(p.get(id), new Value.Dict(p.get(attributes))));
    return Decoder.of(mapping.shape(), (node, problems) -> node instanceof Node.Scalar
        ? Decoders.anyScalar().decode(node, problems).map(text -> new Subject(text, Value.Dict.EMPTY))
        : mapping.decode(node, problems));
  }
}
