package portcullis.cli;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.PublicKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRing;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.source.TerminalText;
import portcullis.lang.source.UnreadableFile;
import portcullis.policy.rule.RuleSetShape;
import portcullis.serve.bundle.Bundle;
import portcullis.serve.bundle.BundleException;
import portcullis.serve.bundle.SignatureRequirement;
import portcullis.serve.bundle.SignedBundle;
import portcullis.serve.provider.RuleFileNames;
import portcullis.serve.runtime.Version;

/** Signs, verifies and shows bundles of rules, without a network. */
final class BundleCommand {
  private static final String KEY = "--key";
  private static final String OUT = "--out";
  private static final String FORCE = "--force";
  private static final String COUNTER = "--counter";
  private static final String NOT_BEFORE = "--not-before";
  private static final String NOT_AFTER = "--not-after";
  private static final String MINIMUM = "--minimum-version";
  private static final String CONFIG = "--config-file";
  private static final String TESTS = "--tests";
  private static final String THRESHOLD = "--threshold";
  private static final String RULES = "--rules";
  private static final Pattern LINE_END = Pattern.compile("\r\n|\n|\r");
  /** Of the keys that sign, where they are encrypted. */
  private static final String PASSWORD = "PORTCULLIS_KEY_PASSWORD";

  static final String SIGN_DOC = "Writes rules to a signed bundle, or adds a signature to one.";
  static final String SIGN_OPERANDS = "<bundle, or files or folders of rules>…";
  static final List<Arguments.Option> SIGN = List.of(
      new Arguments.Option(KEY, "", "FILE",
          "PEM file of the private Ed25519 key that signs; several times for several").repeated(),
      new Arguments.Option(OUT, "", "FILE", "the bundle to write"),
      new Arguments.Option(FORCE, "", "", "replace the file of `--out` if it exists"),
      new Arguments.Option(COUNTER, "", "N", "higher than that of the bundle before"),
      new Arguments.Option(NOT_BEFORE, "", "TIME", "when it becomes valid; now by default"),
      new Arguments.Option(NOT_AFTER, "", "TIME", "when it expires, as 2027-01-31T12:00:00Z"),
      new Arguments.Option(MINIMUM, "", "VERSION", "the oldest program that may use it"),
      new Arguments.Option(CONFIG, "", "FILE", "the configuration that the rules were tested with, for its digest"),
      new Arguments.Option(TESTS, "", "FILE", "the report of `portcullis test -o json`; no case may have failed"));
  static final String VERIFY_DOC = "Checks the signatures of a bundle.";
  static final List<Arguments.Option> VERIFY = List.of(
      new Arguments.Option(KEY, "", "FILE", "PEM file of public Ed25519 keys; several times for several").repeated(),
      new Arguments.Option(THRESHOLD, "", "M", "how many of the keys must have signed; 1 by default"));
  static final String SHOW_DOC = "Shows what a bundle says of itself; checks no signature.";
  static final List<Arguments.Option> SHOW = List.of(
      new Arguments.Option(RULES, "", "", "its rule sets besides"));

  private final Console console;

  BundleCommand(Console console) {
    this.console = console;
  }

  int sign(Arguments arguments) throws Arguments.UsageException {
    if (arguments.values(KEY).isEmpty() || arguments.rest().isEmpty()) {
      throw new Arguments.UsageException("name a key by `" + KEY + "`, and a bundle or rules");
    }
    return attempt(() -> {
      Path only = Path.of(arguments.rest().getFirst());
      boolean more = arguments.rest().size() == 1 && Files.isRegularFile(only)
          && SignedBundle.isBundle(RuleSwap.read(only));
      Path out = arguments.value(OUT).map(Path::of).or(() -> more ? Optional.of(only) : Optional.empty())
          .orElseThrow(() -> new Arguments.UsageException("name the bundle to write by `" + OUT + "`"));
      ReplacedFile.check(out);
      if (Files.exists(out) && !arguments.on(FORCE) && !(more && Files.isSameFile(out, only))) {
        throw new BundleException("`" + out + "` exists: name another file by `" + OUT + "`, or replace it by `"
            + FORCE + "`");
      }
      List<KeyEntry> keys = new ArrayList<>();
      for (String file : arguments.values(KEY)) {
        keys.add(KeyRing.ed25519(Path.of(file),
            Optional.of(Optional.ofNullable(System.getenv(PASSWORD)).orElse("")), Instant.now()));
      }
      SignedBundle bundle = more ? SignedBundle.parse(RuleSwap.read(only)) : SignedBundle.of(made(arguments));
      List<SourceFile> rules = bundle.unverified().ruleSets((more ? only : out).getFileName().toString());
      signable(rules);
      if (more) {
        checked(rules);
      }
      for (KeyEntry key : keys) {
        bundle = bundle.signedBy(key.privateKey(), key.publicKey());
      }
      Path next = out.toAbsolutePath().resolveSibling(out.getFileName() + ".new");
      ReplacedFile.check(next);
      Files.writeString(next, bundle.text());
      Files.move(next, out, StandardCopyOption.REPLACE_EXISTING);
      console.note("Bundle " + bundle.unverified().counter() + " has " + bundle.keys().size()
          + (bundle.keys().size() == 1 ? " signature" : " signatures"));
    });
  }

  private Bundle made(Arguments arguments) throws Arguments.UsageException, BundleException, IOException {
    Optional<Bundle.Tests> tests = Optional.empty();
    if (arguments.value(TESTS).isPresent()) {
      tests = Optional.of(Bundle.tests(RuleSwap.read(Path.of(arguments.value(TESTS).get()))));
      if (tests.get().failed() > 0) {
        throw new BundleException(tests.get().failed() + " test cases have failed");
      }
    }
    Optional<String> configuration = Optional.empty();
    if (arguments.value(CONFIG).isPresent()) {
      byte[] bytes = Files.readAllBytes(Path.of(arguments.value(CONFIG).get()));
      configuration = Optional.of("sha256:" + HexFormat.of().formatHex(Jca.sha256().digest(bytes)));
    }
    return new Bundle(counter(arguments),
        arguments.value(NOT_BEFORE).isEmpty() ? Instant.now() : time(arguments, NOT_BEFORE), time(arguments, NOT_AFTER),
        arguments.value(MINIMUM), configuration, tests, ruleSets(arguments.rest()));
  }

  private static long counter(Arguments arguments) throws Arguments.UsageException {
    try {
      return Long.parseLong(arguments.value(COUNTER).orElse(""));
    } catch (NumberFormatException _) {
      throw new Arguments.UsageException("`" + COUNTER + "` needs a number, as `" + COUNTER + " 7`");
    }
  }

  private static Instant time(Arguments arguments, String option) throws Arguments.UsageException {
    try {
      return Instant.parse(arguments.value(option).orElse(""));
    } catch (DateTimeException _) {
      throw new Arguments.UsageException("`" + option + "` needs a time, as `" + option + " 2027-01-31T12:00:00Z`");
    }
  }

  /** Reads and checks the rule sets; tests, schemas, hidden files and copies in folders are left out. */
  private SequencedMap<String, String> ruleSets(List<String> operands) throws IOException, BundleException {
    List<Path> files = new ArrayList<>();
    for (String operand : operands) {
      Path path = Path.of(operand);
      if (Files.isDirectory(path)) {
        try (Stream<Path> entries = Files.list(path)) {
          entries.filter(file -> Files.isRegularFile(file) && isRuleSet(file)).sorted()
              .forEach(files::add);
        }
      } else {
        files.add(path);
      }
    }
    SequencedMap<String, String> out = new LinkedHashMap<>();
    List<SourceFile> contents = new ArrayList<>();
    for (Path file : files) {
      SourceFile content = new SourceFile(file.toString(), RuleSwap.read(file));
      if (Yaml.read(content, new Problems()).filter(BundleCommand::isConfiguration).isPresent()) {
        throw new BundleException("`" + file + "` is a configuration, not a rule set: name the files of the rules");
      }
      contents.add(content);
      if (out.putIfAbsent(file.getFileName().toString(), content.text()) != null) {
        throw new BundleException("two rule sets are named `" + file.getFileName() + "`");
      }
    }
    checked(contents);
    return out;
  }

  /** Lists what is to be signed, all of which has to be rule sets. */
  private void checked(List<SourceFile> rules) throws BundleException {
    Problems problems = new Problems();
    rules.forEach(file -> RuleSetShape.check(file, problems));
    if (problems.hasErrors()) {
      console.show(problems);
      throw new BundleException("nothing was signed: all files have to be rule sets");
    }
    rules.forEach(file -> console.note("Rule set " + TerminalText.of(file.name())));
  }

  /** Refuses rules of which those who review them would see other text than services read. */
  private void signable(List<SourceFile> rules) throws BundleException {
    for (SourceFile file : rules) {
      OptionalInt index = TerminalText.misleading(file.text());
      if (index.isPresent()) {
        List<String> before = List.of(LINE_END.split(file.text().substring(0, index.getAsInt()), -1));
        throw new BundleException(
            "%s:%d:%d: the control or format character U+%04X would be shown as other text than is "
                .formatted(file.name(), before.size(), before.getLast().length() + 1,
                    file.text().codePointAt(index.getAsInt()))
                + "read: remove it, or write it as an escape in double quotes");
      }
    }
  }

  /** Returns whether it is one for sure: a bundle with it would be refused where it is to be applied. */
  private static boolean isConfiguration(Node root) {
    return root instanceof Node.Mapping mapping && mapping.get("mechanisms").isPresent()
        && mapping.get("rules").isEmpty();
  }

  private static boolean isRuleSet(Path file) {
    String name = file.getFileName().toString();
    return RuleFileNames.isRead(file) && !name.endsWith("_test.yaml") && !name.endsWith(".schema.json");
  }

  int verify(Arguments arguments) throws Arguments.UsageException {
    String file = only(arguments);
    if (arguments.values(KEY).isEmpty()) {
      throw new Arguments.UsageException("name the public keys by `" + KEY + "`");
    }
    int threshold = threshold(arguments);
    return attempt(() -> {
      List<PublicKey> keys = SignatureRequirement.publicKeys(arguments.values(KEY));
      SignatureRequirement.valid(SignedBundle.parse(RuleSwap.read(Path.of(file))).verified(keys, threshold),
          Instant.now(), Version.current());
      console.note("Bundle is valid");
    });
  }

  private static int threshold(Arguments arguments) throws Arguments.UsageException {
    try {
      int threshold = Integer.parseInt(arguments.value(THRESHOLD).orElse("1"));
      if (threshold > 0) {
        return threshold;
      }
    } catch (NumberFormatException _) {
      // reported below
    }
    throw new Arguments.UsageException("`" + THRESHOLD + "` needs a number, 1 at least");
  }

  int show(Arguments arguments) throws Arguments.UsageException {
    String file = only(arguments);
    return attempt(() -> {
      SignedBundle signed = SignedBundle.parse(RuleSwap.read(Path.of(file)));
      Bundle bundle = signed.unverified();
      say("counter          " + bundle.counter());
      say("not before       " + bundle.notBefore());
      say("not after        " + bundle.notAfter());
      say("minimum version  " + bundle.minimumVersion().orElse("any"));
      say("configuration    " + bundle.configuration().orElse("not named"));
      say("tests            " + bundle.tests().map(t -> t.passed() + " passed").orElse("not named"));
      say("content          sha256:" + signed.digest());
      signed.keys().forEach(key -> say("signed by key    " + key + " (not checked)"));
      bundle.files().forEach((name, content) -> say("rule set         " + name + ", " + content.lines().count()
          + " lines"));
      if (arguments.on(RULES)) {
        bundle.files().forEach((name, content) -> console.say("\n# " + TerminalText.escaped(name, "") + "\n"
            + TerminalText.escaped(content.stripTrailing(), "\n\t")));
      }
    });
  }

  /** A line of which nothing can hide another one: what a bundle says is not to be trusted yet. */
  private void say(String line) {
    console.say(TerminalText.escaped(line, ""));
  }

  private static String only(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().size() != 1) {
      throw new Arguments.UsageException("exactly one bundle is needed");
    }
    return arguments.rest().getFirst();
  }

  /** Something that is done with files. */
  private interface Action {
    void run() throws Arguments.UsageException, BundleException, KeyMaterialException, IOException;
  }

  private int attempt(Action action) throws Arguments.UsageException {
    try {
      action.run();
      return 0;
    } catch (BundleException | KeyMaterialException e) {
      console.complain(e.getMessage());
    } catch (FileSystemException e) {
      console.complain(UnreadableFile.message(Path.of(Optional.ofNullable(e.getFile()).orElse("")), e));
    } catch (IOException | InvalidPathException e) {
      console.complain(e.getMessage());
    }
    return 1;
  }
}
