package portcullis.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Durations;
import portcullis.crypto.apikeys.ApiKey;
import portcullis.crypto.apikeys.ApiKeyEdit;
import portcullis.crypto.apikeys.ApiKeyTable;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.address.Network;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.SourceFile;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Makes, lists and revokes the API keys of a file. A running service reads the file again by itself. */
final class KeyCommands {
  static final String REVOKE_OPERANDS = "ID";

  private static final String FILE = "--file";
  /** The permissions of a new file, less what the umask takes. */
  private static final FileAttribute<?> NEW_FILE = PosixFilePermissions
      .asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));
  private static final String SUBJECT = "--subject";
  private static final String PREFIX = "--prefix";
  private static final String SCOPE = "--scope";
  private static final String NETWORK = "--network";
  private static final String ATTRIBUTE = "--attribute";
  private static final String FOR = "--for";
  private static final String NOT_BEFORE = "--not-before";
  private static final String NOT_AFTER = "--not-after";
  private static final Arguments.Option FILE_OPTION = new Arguments.Option(FILE, "-f", "FILE", "the file of the keys");

  static final List<Arguments.Option> NEW_OPTIONS = List.of(FILE_OPTION,
      new Arguments.Option(SUBJECT, "-s", "NAME", "the subject that the key authenticates; required"),
      new Arguments.Option(SCOPE, "", "SCOPE", "what it may be used for; may be repeated").repeated(),
      new Arguments.Option(NETWORK, "", "NETWORK", "where it may be used from, as 10.0.0.0/8; may be repeated")
          .repeated(),
      new Arguments.Option(ATTRIBUTE, "", "NAME=VALUE", "an attribute of the subject; may be repeated").repeated(),
      new Arguments.Option(FOR, "", "DURATION", "how long it is valid, as 90d or 12h; without an end by default"),
      new Arguments.Option(NOT_AFTER, "", "TIME", "when it expires, as 2027-01-31T00:00:00Z"),
      new Arguments.Option(NOT_BEFORE, "", "TIME", "when it becomes valid"),
      new Arguments.Option(PREFIX, "", "WORD", "what the key begins with, default pk"));
  static final List<Arguments.Option> LIST_OPTIONS = List.of(FILE_OPTION, Flags.OUTPUT);
  static final List<Arguments.Option> REVOKE_OPTIONS = List.of(FILE_OPTION);

  private final Console console;
  private final InstantSource clock = InstantSource.system();

  KeyCommands(Console console) {
    this.console = console;
  }

  int create(Arguments arguments) throws Arguments.UsageException {
    Instant now = Instant.ofEpochSecond(clock.instant().getEpochSecond());
    ApiKeyEdit.Draft draft = draft(arguments, now);
    Path file = file(arguments);
    try {
      ReplacedFile.check(file);
      Optional<SourceFile> before = Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
      ApiKeyEdit.Made made = ApiKeyEdit.add(before, draft, now, new SecureRandom());
      replace(file, before, made.file());
      console.say(made.key());
      console.note("key " + made.id() + " is in " + file + "; the key itself is stored nowhere and not shown again");
      return 0;
    } catch (IOException | ApiKeyEdit.EditException e) {
      return failed(e);
    }
  }

  private static ApiKeyEdit.Draft draft(Arguments arguments, Instant now) throws Arguments.UsageException {
    String subject = arguments.value(SUBJECT).filter(name -> !name.isBlank())
        .orElseThrow(() -> new Arguments.UsageException("name the subject of the key: " + SUBJECT + " ci-runner"));
    checkCharacters(SUBJECT, List.of(subject));
    checkCharacters(SCOPE, arguments.values(SCOPE));
    checkCharacters(ATTRIBUTE, arguments.values(ATTRIBUTE));
    String prefix = arguments.value(PREFIX).orElse("pk");
    if (!prefix.matches("[A-Za-z][A-Za-z0-9]{0,15}")) {
      throw new Arguments.UsageException("`" + PREFIX + "` is a letter and up to 15 letters and digits");
    }
    for (String network : arguments.values(NETWORK)) {
      if (Network.parse(network).isEmpty()) {
        throw new Arguments.UsageException("`" + network + "` is not a network, write it as 10.0.0.0/8");
      }
      Optional<String> correction = Network.correction(network);
      if (correction.isPresent()) {
        throw new Arguments.UsageException(correction.get());
      }
    }
    if (arguments.has(FOR) && arguments.has(NOT_AFTER)) {
      throw new Arguments.UsageException("give `" + FOR + "` or `" + NOT_AFTER + "`, not both");
    }
    Optional<Instant> from = time(arguments, NOT_BEFORE);
    Optional<Instant> until = arguments.has(FOR) ? Optional.of(from.orElse(now).plus(duration(arguments)))
        : time(arguments, NOT_AFTER);
    if (until.filter(end -> !end.isAfter(from.orElse(now))).isPresent()) {
      throw new Arguments.UsageException("the key would never be valid: it expires at " + until.get());
    }
    return new ApiKeyEdit.Draft(prefix, subject, attributes(arguments), arguments.values(SCOPE),
        arguments.values(NETWORK), from, until);
  }

  /** Refuses what no request could be authenticated as, and what a terminal would not show. */
  private static void checkCharacters(String option, List<String> values) throws Arguments.UsageException {
    for (String value : values) {
      if (value.indexOf('\ufffd') >= 0) { // in place of bytes that are not UTF-8
        throw new Arguments.UsageException("`" + option + "` is not UTF-8 text");
      }
      if (!TerminalText.of(value).equals(value) || !value.codePoints().allMatch(Character::isDefined)) {
        throw new Arguments.UsageException("`" + option + "` has a control character, which is not allowed: `"
            + TerminalText.escaped(value, "") + "`");
      }
    }
  }

  private static Map<String, String> attributes(Arguments arguments) throws Arguments.UsageException {
    Map<String, String> out = new LinkedHashMap<>();
    for (String pair : arguments.values(ATTRIBUTE)) {
      int equals = pair.indexOf('=');
      if (equals <= 0) {
        throw new Arguments.UsageException("`" + pair + "` is not NAME=VALUE");
      }
      out.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return out;
  }

  private static Optional<Instant> time(Arguments arguments, String option) throws Arguments.UsageException {
    Optional<String> text = arguments.value(option);
    try {
      return text.map(value -> OffsetDateTime.parse(value).toInstant());
    } catch (DateTimeException _) {
      throw new Arguments.UsageException("`" + text.get() + "` is not a time, write it as 2027-01-31T00:00:00Z");
    }
  }

  private static Duration duration(Arguments arguments) throws Arguments.UsageException {
    String text = arguments.value(FOR).orElseThrow();
    return period(text).filter(time -> time.compareTo(Duration.ofSeconds(1)) >= 0).orElseThrow(
        () -> new Arguments.UsageException("`" + text + "` is not a duration, write it as 90d, 12h or 30m"));
  }

  /** Returns a duration that may be in days. */
  static Optional<Duration> period(String text) {
    return text.matches("[0-9]{1,5}d") ? Optional.of(Duration.ofDays(days(text))) : Durations.parse(text);
  }

  private static int days(String text) {
    return Integer.parseInt(text.substring(0, text.length() - 1));
  }

  int list(Arguments arguments) throws Arguments.UsageException {
    Path file = file(arguments);
    Instant now = clock.instant();
    try {
      List<ApiKey> keys = ApiKeyTable.read(file).keys();
      if (Flags.json(arguments)) {
        console.say(JsonText.plain(new Value.Array(keys.stream().map(key -> json(key, now)).toList())));
        return 0;
      }
      for (ApiKey key : keys) {
        List<String> facts = new ArrayList<>(List.of(key.id(), key.state(now).text(), key.subject()));
        key.notAfter().ifPresent(end -> facts.add("until " + end));
        if (!key.scopes().isEmpty()) {
          facts.add("scopes " + String.join(" ", key.scopes()));
        }
        if (!key.networks().isEmpty()) {
          facts.add("from " + String.join(" ", key.networks().stream().map(Network::toString).toList()));
        }
        console.say(TerminalText.of(String.join("  ", facts)));
      }
      return 0;
    } catch (KeyMaterialException e) {
      console.complain("cannot read " + file + ": " + e.getMessage());
      return 1;
    }
  }

  private static Value json(ApiKey key, Instant now) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("id", Value.of(key.id()));
    out.put("state", Value.of(key.state(now).text()));
    out.put("subject", Value.of(key.subject()));
    out.put("scopes", Value.Array.ofStrings(key.scopes()));
    out.put("networks", Value.Array.ofStrings(key.networks().stream().map(Network::toString).toList()));
    key.notBefore().ifPresent(time -> out.put("not_before", Value.of(time.toString())));
    key.notAfter().ifPresent(time -> out.put("not_after", Value.of(time.toString())));
    key.revoked().ifPresent(time -> out.put("revoked", Value.of(time.toString())));
    return new Value.Dict(out);
  }

  int revoke(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().size() != 1) {
      throw new Arguments.UsageException("name one key by its id, as `key list` shows it");
    }
    Path file = file(arguments);
    Instant now = Instant.ofEpochSecond(clock.instant().getEpochSecond());
    try {
      ReplacedFile.check(file);
      SourceFile before = read(file);
      replace(file, Optional.of(before), ApiKeyEdit.revoke(before, arguments.rest().getFirst(), now));
      console.note("key " + arguments.rest().getFirst() + " is revoked in " + file);
      return 0;
    } catch (IOException | ApiKeyEdit.EditException e) {
      return failed(e);
    }
  }

  private int failed(Exception e) {
    console.complain(e instanceof IOException ? FileFailure.reason(e) : e.getMessage());
    return 1;
  }

  private static Path file(Arguments arguments) throws Arguments.UsageException {
    String name = arguments.value(FILE).filter(text -> !text.isEmpty())
        .orElseThrow(() -> new Arguments.UsageException("name the file of the keys: " + FILE + " keys.yaml"));
    try {
      return Path.of(name);
    } catch (InvalidPathException _) {
      throw new Arguments.UsageException("`" + name + "` is not the path of a file");
    }
  }

  private static SourceFile read(Path file) throws IOException {
    return new SourceFile(file.toString(), RuleSwap.read(file));
  }

  /** Replaces the file at once, with its owner and permissions, unless another program has changed it since. */
  private static void replace(Path file, Optional<SourceFile> before, String text) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder == null || !Files.isDirectory(folder)) {
      throw new IOException("there is no folder `" + folder + "`, create it first");
    }
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    Path aside = before.isPresent() ? Files.createTempFile(target.getParent(), ".keys", ".new")
        : Files.createTempFile(target.getParent(), ".keys", ".new", NEW_FILE);
    try {
      Files.write(aside, text.getBytes(StandardCharsets.UTF_8));
      if (before.isPresent()) {
        adopt(aside, target);
      }
      boolean same = before.isPresent() ? Files.readString(target).equals(before.get().text()) : !Files.exists(target);
      if (!same) {
        throw new IOException(file + " has been changed meanwhile; nothing was done, try again");
      }
      Files.move(aside, target, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(aside);
    }
  }

  private static void adopt(Path aside, Path target) throws IOException {
    PosixFileAttributes old = Files.readAttributes(target, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(aside, PosixFileAttributeView.class,
        LinkOption.NOFOLLOW_LINKS);
    view.setPermissions(old.permissions());
    if (!view.getOwner().equals(old.owner())) {
      view.setOwner(old.owner());
    }
    view.setGroup(old.group());
  }
}
