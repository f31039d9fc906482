package portcullis.lang.source;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides secrets in text that is shown to people: userinfo of URLs, tokens, and values with names of secrets. */
public final class Redaction {
  private static final String HIDDEN = "***";
  private static final List<String> NAMES = List.of("password", "passwd", "passphrase", "secret", "client_secret",
      "token", "access_token", "refresh_token", "id_token", "api_key", "apikey", "private_key", "authorization", "pass",
      "pwd", "pw", "passcode", "password_hash");
  /** These are recognized when misspelt. */
  private static final List<String> LONG_NAMES = List.of("password", "passphrase", "client_secret");
  private static final List<String> USERS = List.of("user", "user_id", "username");
  /** What holds secrets, and is none of them itself. */
  private static final List<String> HOLDERS = List.of("credentials", "auth", "client_auth");
  /** Names of what holds a secret under {@code value} or {@code key}. */
  private static final List<String> CREDENTIALS = List.of("auth:", "auth\":", "api_key", "locks:", "debug:");
  private static final String AUDIT = "audit:";
  /** The audit chain in braces, not in a comment or a string. */
  private static final Pattern INLINE_AUDIT = Pattern.compile("([^\"'#]*[{,])?\\s*audit:\\s*\\{.*");
  private static final List<String> SCHEMES = List.of("bearer ", "basic ");
  private static final int SHORTEST_TOKEN = 6;
  /** Messages that quote names of the template language only, never a value. */
  private static final Pattern OF_NAMES = Pattern.compile(
      "(?s)(no member|there is no variable|there is no function) `[.\\w]{1,64}`[^`]*(`[.\\w]{1,64}`[^`]*)*");
  private static final Pattern VARIABLE = Pattern.compile("[\"']?\\$\\{[A-Za-z_]\\w{0,63}}");
  private static final Pattern ONLY_ENDS = Pattern.compile("[\"'\\s,}\\]]*");

  private Redaction() {}

  /** Returns the text without userinfo, tokens, and secret parameters of URLs. */
  public static String of(String text) {
    return withoutParameters(Userinfo.without(text));
  }

  /** Returns a text about a configuration, whose URLs may be wrong, without them. */
  private static String ofConfiguration(String text) {
    return withoutParameters(Userinfo.withoutAny(text));
  }

  private static String withoutParameters(String text) {
    return withoutPairs(withoutTokens(text), "=", "&;#\"'` ,)]}\n");
  }

  /** Returns a message, whose quoted input is in backticks, without secrets. */
  static String ofMessage(String message, boolean secretPath) {
    int first = message.indexOf('`');
    if (secretPath && first >= 0 && !OF_NAMES.matcher(message).matches()) {
      int last = message.lastIndexOf('`');
      return ofConfiguration(message.substring(0, first + 1) + HIDDEN + (last > first ? message.substring(last) : ""));
    }
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (int open = message.indexOf('`'); open >= 0; open = message.indexOf('`', from)) {
      int close = message.indexOf('`', open + 1);
      int end = close < 0 ? message.length() : close;
      String quoted = message.substring(open + 1, end);
      String shown = BrokenName.isFollowedByBlank(quoted) ? ofLine(quoted, false) : withoutPairs(quoted, "=:", "\n");
      out.append(message, from, open + 1).append(shown);
      from = end == message.length() ? end : end + 1;
      out.append(close < 0 ? "" : "`");
    }
    return ofConfiguration(out.append(message, from, message.length()).toString());
  }

  /** Returns the path of a place up to the first secret name in it. */
  static String ofPath(String path) {
    int from = 0;
    while (from < path.length()) {
      int dot = path.indexOf('.', from);
      int end = dot < 0 ? path.length() : dot;
      String name = name(path.substring(from, end));
      if (dot >= 0 && (isSecret(name) || MisplacedSecrets.isCookie(name, ""))) {
        return path.substring(0, end) + "." + HIDDEN;
      }
      from = end + 1;
    }
    return path;
  }

  /** Returns whether a path leads to or through a secret. */
  static boolean isSecretPath(String path) {
    for (String one : path.split("\\.")) {
      if (isSecret(name(one))) {
        return true;
      }
    }
    return path.contains(".auth.") && path.endsWith(".value") || MisplacedSecrets.isCookiePath(path);
  }

  /** Returns whether what is there holds secrets, so that it may be one where it should not be a string. */
  static boolean isHolderPath(String path) {
    return path.endsWith(".auth.config")
        || HOLDERS.stream().anyMatch(holder -> path.equals(holder) || path.endsWith("." + holder));
  }

  private static String name(String element) {
    int bracket = element.indexOf('[');
    return bracket < 0 ? element : element.substring(0, bracket);
  }

  /**
   * Returns a line of a file without secrets, even where its syntax is wrong.
   *
   * @param ofCall whether it belongs to the credentials of a call, where an API key stands under {@code value}
   */
  static String ofLine(String line, boolean ofCall) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < line.length()) {
      int word = wordStart(line, at);
      int end = wordEnd(line, word);
      out.append(line, at, end);
      at = end;
      int value = word < end ? hiddenFrom(line, word, end, ofCall) : -1;
      if (value >= 0) {
        int hidden = variableEnd(line, value);
        at = hiddenTo(line, valueStart(line, end, true), value);
        boolean isVariable = hidden > value && ONLY_ENDS.matcher(line.substring(hidden, at)).matches();
        out.append(line, end, hidden).append(isVariable ? line.substring(hidden, at) : HIDDEN);
      }
    }
    return ofConfiguration(out.toString());
  }

  /** Returns the end of the variable that a value begins with, whose name is not secret; the value's begin without. */
  private static int variableEnd(String line, int value) {
    Matcher variable = VARIABLE.matcher(line).region(value, line.length());
    return variable.lookingAt() ? variable.end() : value;
  }

  /** Returns where the part of the value of a name begins that is secret; -1 where none is. */
  private static int hiddenFrom(String line, int word, int wordEnd, boolean ofCall) {
    String name = line.substring(word, wordEnd);
    boolean secret = isSecret(name) || ofCall && isOfCredential(name)
        || BrokenName.isSecret(line, wordEnd, ofCall) || MisplacedSecrets.isCookie(name, line.substring(wordEnd));
    int value = valueStart(line, wordEnd, secret && (isFirst(line, word) || isFollowedByOne(line, word, wordEnd)
        || MisplacedSecrets.isBehindValue(line.substring(0, word))));
    if (value < 0 || value == line.length()) {
      return -1;
    }
    boolean misplaced = (HOLDERS.contains(name) || ofCall && name.equals("config"))
        && "{[&*|>!#".indexOf(line.charAt(value)) < 0;
    return secret || misplaced ? value : USERS.contains(name) ? passwordStart(line, value) : -1;
  }

  /** Returns where the password begins in a value that is a user, a colon and a password. */
  private static int passwordStart(String line, int value) {
    int colon = line.indexOf(':', value);
    boolean password = colon > value && colon < valueEnd(line, value) - 1 && line.charAt(colon + 1) > ' '
        && line.substring(value, colon).chars().noneMatch(c -> "${[#,".indexOf(c) >= 0);
    return password ? colon + 1 : -1;
  }

  /** Returns the end of what is hidden of a value: where only a part of it is, a quote behind it stays. */
  private static int hiddenTo(String line, int value, int hidden) {
    int end = valueEnd(line, value);
    boolean quoted = "\"'".indexOf(line.charAt(value)) >= 0 && line.charAt(end - 1) == line.charAt(value);
    return hidden > value && quoted ? end - 1 : end;
  }

  /** Returns whether a name in the line is that of a secret, where it belongs to the credentials of a call. */
  private static boolean hasCredential(String line) {
    int end = 0;
    for (int word = wordStart(line, 0); word < line.length(); word = wordStart(line, end)) {
      end = wordEnd(line, word);
      String name = line.substring(word, end);
      if (isOfCredential(name) || name.equals("config")) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfCredential(String name) {
    return name.equals("key") || Nearest.distance(name, "value") <= 2;
  }

  /** Returns whether the line belongs to a secret value that began in a line above. */
  static boolean isWithinSecret(SourceFile file, int number) {
    int above = enclosing(file, number);
    if (above > 0 && isSecretName(file, above, number)) {
      return true;
    }
    int before = before(file, number);
    return before > 0 && isContinued(file.line(before), file.line(number)) && isSecretName(file, before, number);
  }

  /** Returns the number of the line that is indented less; 0 where there is none. */
  private static int enclosing(SourceFile file, int number) {
    int indent = indent(file.line(number));
    int above = number - 1;
    while (above > 0 && (file.line(above).isBlank() || indent(file.line(above)) >= indent)) {
      above--;
    }
    return above;
  }

  /** Returns the number of the last line above that has text and is no item of the same list. */
  private static int before(SourceFile file, int number) {
    String line = file.line(number);
    boolean item = line.strip().startsWith("-");
    int above = number - 1;
    while (above > 0 && (file.line(above).isBlank()
        || item && indent(file.line(above)) == indent(line) && file.line(above).strip().startsWith("-"))) {
      above--;
    }
    return above;
  }

  /**
   * Returns whether a line may be the value of the name above it, though not indented deeper: an item of a list, the
   * value behind {@code ?}, or one that is wrongly indented.
   */
  private static boolean isContinued(String above, String line) {
    int word = wordStart(above, 0);
    boolean open = above.substring(wordEnd(above, word)).strip().matches("[\"']?:?");
    int own = wordEnd(line, wordStart(line, 0));
    boolean named = own < line.length() && line.substring(own).stripLeading().startsWith(":");
    return open && (!named || line.strip().startsWith("-") || line.strip().startsWith(":"));
  }

  /** Returns whether a line begins with the name of what stands in the other line and is secret. */
  private static boolean isSecretName(SourceFile file, int number, int value) {
    String line = file.line(number);
    int word = wordStart(line, 0);
    String name = line.substring(word, wordEnd(line, word));
    return !name.isEmpty() && (isSecret(name) || isOfCredential(name) && isOfCall(file, number)
        || MisplacedSecrets.isCookie(name, file.line(value)));
  }

  /**
   * Whether a line belongs to the {@code auth} of an endpoint, which it names itself or a line above that encloses it.
   */
  static boolean isOfCall(SourceFile file, int number) {
    String line = file.line(number);
    if (!namesCredentials(line) && isOfAudit(file, number)) {
      return false; // its key is a file
    }
    int indent = indent(line);
    boolean found = namesCredentials(line) || hasCredential(line) && BrokenName.isNearby(file, number, CREDENTIALS);
    for (int i = hasCredential(line) ? number - 1 : 0; i > 0 && indent > 0 && !found; i--) {
      String above = file.line(i);
      if (!above.isBlank() && indent(above) < indent) {
        indent = indent(above);
        found = namesCredentials(above);
      }
    }
    return found;
  }

  private static boolean isOfAudit(SourceFile file, int number) {
    int above = enclosing(file, number);
    return INLINE_AUDIT.matcher(file.line(number)).matches() || above > 0 && file.line(above).strip().equals(AUDIT);
  }

  private static boolean namesCredentials(String line) {
    return CREDENTIALS.stream().anyMatch(line::contains);
  }

  static int indent(String line) {
    int indent = 0;
    while (indent < line.length() && line.charAt(indent) <= ' ') {
      indent++;
    }
    return indent;
  }

  private static boolean isFirst(String line, int word) {
    return line.substring(0, word).chars().allMatch(c -> c <= ' ' || c == '-' || c == '"' || c == '\'' || c == '{');
  }

  /** Returns whether a name in a mapping in braces is followed by one word, as its value is without a colon. */
  private static boolean isFollowedByOne(String line, int word, int wordEnd) {
    String before = line.substring(0, word).stripTrailing();
    String behind = line.substring(wordEnd).strip();
    int end = 0;
    while (end < behind.length() && ",}".indexOf(behind.charAt(end)) < 0) {
      end++;
    }
    return (before.endsWith("{") || before.endsWith(",")) && end > 0
        && behind.substring(0, end).strip().indexOf(' ') < 0;
  }

  private static int valueStart(String line, int nameEnd, boolean separatorMayBeMissing) {
    int at = BrokenName.end(line, nameEnd);
    int blanks = skipBlanks(line, at);
    if (blanks < line.length() && ":=".indexOf(line.charAt(blanks)) >= 0) {
      return skipBlanks(line, blanks + 1);
    }
    return separatorMayBeMissing && blanks > at ? blanks : -1;
  }

  /** Returns the end of a quoted value if its closing quote is unambiguous, else the end of the line. */
  private static int valueEnd(String line, int value) {
    char quote = line.charAt(value);
    int close = quote == '"' || quote == '\'' ? line.indexOf(quote, value + 1) : -1;
    int next = close < 0 ? -1 : skipBlanks(line, close + 1);
    boolean ends = close >= 0 && (next == line.length() || ",}]#".indexOf(line.charAt(next)) >= 0);
    return ends ? close + 1 : line.length();
  }

  private static int skipBlanks(String text, int from) {
    int at = from;
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
    return at;
  }

  private static String withoutPairs(String text, String separators, String ends) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int word = wordStart(text, at);
      int end = wordEnd(text, word);
      out.append(text, at, end);
      at = end;
      boolean pair = word < end && end < text.length() && separators.indexOf(text.charAt(end)) >= 0;
      if (pair && isSecret(text.substring(word, end))) {
        int stop = end + 1;
        while (stop < text.length() && ends.indexOf(text.charAt(stop)) < 0) {
          stop++;
        }
        out.append(text.charAt(end)).append(stop > end + 1 ? HIDDEN : "");
        at = stop;
      }
    }
    return out.toString();
  }

  /** Returns the text without what is between {@code ://} and the last {@code @} before the path. */
  public static String withoutUserinfo(String text) {
    return Userinfo.without(text);
  }

  /** Hides JOSE compact serializations, which begin with {@code eyJ}, and credentials after their scheme. */
  private static String withoutTokens(String text) {
    StringBuilder out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      int begin = at;
      for (String scheme : SCHEMES) {
        begin = text.regionMatches(true, at, scheme, 0, scheme.length()) ? at + scheme.length() : begin;
      }
      boolean starts = at == 0 || !isOfToken(text.charAt(at - 1));
      if (starts && (begin > at || text.startsWith("eyJ", at))) {
        int end = begin;
        while (end < text.length() && isOfToken(text.charAt(end))) {
          end++;
        }
        boolean token = end - begin >= SHORTEST_TOKEN;
        out.append(text, at, begin).append(token ? HIDDEN : text.substring(begin, end));
        at = end;
      } else {
        out.append(text.charAt(at++));
      }
    }
    return out.toString();
  }

  private static boolean isOfToken(char c) {
    return isOfWord(c) || "._~+/=".indexOf(c) >= 0;
  }

  private static boolean isOfWord(char c) {
    return c < 128 && Character.isLetterOrDigit(c) || c == '_' || c == '-';
  }

  private static int wordStart(String text, int from) {
    int at = from;
    while (at < text.length() && (!isOfWord(text.charAt(at)) || text.charAt(at) == '-')) {
      at++;
    }
    return at;
  }

  private static int wordEnd(String text, int from) {
    int at = from;
    while (at < text.length() && isOfWord(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** Returns whether a name denotes a secret: {@code password}, {@code DB_PASSWORD}, {@code passwort}. */
  static boolean isSecret(String name) {
    if (name.length() > 64) {
      return false;
    }
    String small = name.toLowerCase(Locale.ROOT).replace('-', '_');
    return NAMES.stream().anyMatch(known -> small.equals(known) || small.endsWith("_" + known))
        || LONG_NAMES.stream().anyMatch(known -> Nearest.distance(small, known) <= 2);
  }
}
