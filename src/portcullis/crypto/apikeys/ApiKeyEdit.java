package portcullis.crypto.apikeys;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Changes the text of a file of API keys so that comments and order stay as they are. */
public final class ApiKeyEdit {
  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
  private static final int ID_LENGTH = 12;
  /** 52 characters of 5 bits. */
  private static final int SECRET_LENGTH = 52;
  private static final String HEAD = "# API keys; see `portcullis key --help`. Only hashes are stored.\nkeys:\n";

  /** A list without items on one line. */
  private static final Pattern NO_KEYS = Pattern
      .compile("(?m)^(\ufeff?keys[ \\t]*:)[ \\t]*(?:\\[[ \\t]*]|\\{[ \\t]*}|null|~)(?=[ \\t]*(?:#.*)?\\r?$)");
  private static final Pattern ITEM = Pattern.compile("(?m)^( *)- ");
  /** The byte order mark, with which some editors begin a file. */
  private static final String MARK = "\ufeff";

  private ApiKeyEdit() {}

  /** A change that cannot be made; the message says what would be right. */
  public static final class EditException extends Exception {
    private static final long serialVersionUID = 1;

    EditException(String message) {
      super(message);
    }
  }

  /**
   * A key to be made.
   *
   * @param prefix what all keys of an operator begin with, so that they are found where they leak
   */
  public record Draft(String prefix, String subject, Map<String, String> attributes, List<String> scopes,
      List<String> networks, Optional<Instant> notBefore, Optional<Instant> notAfter) {}

  /** A new key, which is stored nowhere else, and the file with its hash. */
  public record Made(String key, String id, String file) {}

  /** Adds a key. @param file empty for a new one */
  public static Made add(Optional<SourceFile> file, Draft draft, Instant now, SecureRandom random)
      throws EditException {
    String id = random(ID_LENGTH, random);
    String key = draft.prefix + "_" + id + "_" + random(SECRET_LENGTH, random);
    String before = file.isPresent() ? opened(file.get()) : HEAD;
    Matcher first = ITEM.matcher(before);
    String indent = first.find() ? first.group(1) : "  ";
    StringBuilder out = new StringBuilder("- id: ").append(id).append("\n    sha256: \"").append(ApiKeyTable.hash(key))
        .append("\"\n");
    line(out, "subject", quoted(draft.subject));
    line(out, "created", now.toString());
    draft.notBefore.ifPresent(time -> line(out, "not_before", time.toString()));
    draft.notAfter.ifPresent(time -> line(out, "not_after", time.toString()));
    if (!draft.scopes.isEmpty()) {
      line(out, "scopes", JsonText.plain(Value.Array.ofStrings(draft.scopes)));
    }
    if (!draft.networks.isEmpty()) {
      line(out, "networks", JsonText.plain(Value.Array.ofStrings(draft.networks)));
    }
    if (!draft.attributes.isEmpty()) {
      line(out, "attributes", JsonText.plain(Value.Dict.ofStrings(draft.attributes)));
    }
    String end = end(before);
    String text = before + indent + out.toString().replace("\n    ", "\n" + indent + "  ").replace("\n", end);
    String name = file.map(SourceFile::name).orElse("the new file");
    boolean added = ApiKeyTable.parse(new SourceFile(name, text), new Problems())
        .filter(table -> table.keys().stream().anyMatch(one -> one.id().equals(id))).isPresent();
    if (!added) {
      throw new EditException(name + " cannot be changed: the list of `keys` has to be the last part of the file, one "
          + "key after the other as `  - id: …`");
    }
    return new Made(key, id, text);
  }

  /** Returns the text of a file to which an item of the list can be added; its lines have the same numbers. */
  private static String opened(SourceFile file) throws EditException {
    String end = end(file.text());
    String text = NO_KEYS.matcher(file.text()).replaceFirst("$1");
    String open = text.isEmpty() || text.endsWith("\n") || text.equals(MARK) ? text : text + end;
    Problems problems = new Problems();
    Optional<Node> root = Yaml.read(new SourceFile(file.name(), open), problems);
    if (root.isEmpty() && !problems.hasErrors()) {
      return open + (open.isEmpty() || open.equals(MARK) ? HEAD : "keys:\n").replace("\n", end);
    }
    boolean hasNone = root
        .flatMap(node -> node instanceof Node.Mapping members ? members.get("keys") : Optional.empty())
        .filter(keys -> keys instanceof Node.Scalar value && value.meaning() == Node.Meaning.NULL).isPresent();
    if (!hasNone) {
      root.ifPresent(_ -> ApiKeyTable.parse(new SourceFile(file.name(), open), problems));
    }
    if (problems.hasErrors()) {
      throw new EditException(file.name() + " cannot be changed: " + problems.sorted().getFirst().text());
    }
    return open;
  }

  private static String end(String text) {
    return text.contains("\r\n") ? "\r\n" : "\n";
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append("    ").append(name).append(": ").append(value).append('\n');
  }

  private static String quoted(String text) {
    return JsonText.plain(Value.of(text));
  }

  private static String random(int length, SecureRandom random) {
    StringBuilder out = new StringBuilder(length);
    random.ints(length, 0, ALPHABET.length()).forEach(i -> out.append(ALPHABET.charAt(i)));
    return out.toString();
  }

  private static ApiKey checked(SourceFile file, String id, String hint) throws EditException {
    Problems problems = new Problems();
    Optional<ApiKey> key = ApiKeyTable.parse(file, problems)
        .flatMap(table -> table.keys().stream().filter(one -> one.id().equals(id)).findFirst());
    if (problems.hasErrors()) {
      throw new EditException(file.name() + " cannot be changed: " + problems.sorted().getFirst().text());
    }
    if (key.isEmpty()) {
      throw new EditException(file.name() + " cannot be changed: " + hint);
    }
    return key.get();
  }

  /** Returns the file in which this key is revoked. */
  public static String revoke(SourceFile file, String id, Instant now) throws EditException {
    if (id.contains("_")) { // it may be a whole key, which is not repeated
      throw new EditException("name the key by its id, which stands between the two `_` of the key");
    }
    if (checked(file, id, "no key has the id `" + id + "`").revoked().isPresent()) {
      throw new EditException("the key `" + id + "` is revoked already");
    }
    Matcher item = Pattern.compile("(?m)^(\\s*)- id: *[\"']?" + Pattern.quote(id) + "[\"']? *(#.*)?$")
        .matcher(file.text());
    if (!item.find()) {
      throw new EditException("the key `" + id + "` does not begin with a line `- id: " + id + "` in " + file.name()
          + ": add `revoked: " + now + "` to it by hand");
    }
    String text = file.text().substring(0, item.end()) + "\n" + item.group(1) + "  revoked: " + now
        + file.text().substring(item.end());
    if (checked(new SourceFile(file.name(), text), id, "").revoked().isEmpty()) {
      throw new EditException("the key `" + id + "` was not found as expected: add `revoked: " + now + "` by hand");
    }
    return text;
  }
}
