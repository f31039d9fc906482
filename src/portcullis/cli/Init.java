package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.cli.Arguments.Option;
import portcullis.cli.Arguments.UsageException;
import portcullis.lang.source.FileFailure;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Writes a commented configuration, rules and test cases of them for a kind of application, and validates them. */
final class Init {
  static final String DOC = "Writes a configuration, rules and test cases to start from.";
  static final String OPERANDS = "[DIR]";

  private static final String KIND = "--kind";
  private static final String MODE = "--mode";
  private static final String UPSTREAM = "--upstream";
  private static final String ISSUER = "--issuer";
  private static final String AUDIENCE = "--audience";
  private static final String TOKENS = "--tokens";
  private static final String SESSION = "--session";
  private static final String LOGIN = "--login";
  private static final String COOKIE = "--cookie";
  private static final String PROXY = "proxy";

  static final List<Option> OPTIONS = List.of(
      new Option(KIND, "-k", "oidc|session|api", "application for users of an OpenID provider, for browsers with a "
          + "session, or for programs with scopes"),
      new Option(MODE, "", "proxy|decision", "whether requests are forwarded (default) or a proxy in front asks"),
      new Option(UPSTREAM, "", "URL", "where the application is, default http://127.0.0.1:8080"),
      new Option(ISSUER, "", "URL", "oidc, api: the OpenID provider, default https://login.example.com"),
      new Option(AUDIENCE, "", "NAME", "oidc, api: for whom tokens have to be meant, default the kind"),
      new Option(TOKENS, "", "jwt|introspection", "api: whether Portcullis (default) or the issuer checks tokens"),
      new Option(SESSION, "", "URL", "session: the session service, default https://login.example.com/session"),
      new Option(LOGIN, "", "URL", "session: the login page, default https://login.example.com/login"),
      new Option(COOKIE, "", "NAME", "session: the cookie, default session"));

  private static final Map<String, Set<String>> KINDS_OF = Map.of(ISSUER, Set.of("oidc", "api"), AUDIENCE,
      Set.of("oidc", "api"), TOKENS, Set.of("api"), SESSION, Set.of("session"), LOGIN, Set.of("session"), COOKIE,
      Set.of("session"));
  private static final String ORIGIN = "https?://([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+])(:[0-9]{1,5})?";
  private static final String URL = ORIGIN + "(/[A-Za-z0-9._~%/-]*)?";

  private final Console console;

  Init(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws UsageException {
    if (arguments.rest().size() > 1) {
      throw new UsageException("name one folder: `portcullis init " + KIND + " oidc DIR`");
    }
    Path folder = folder(arguments.rest().isEmpty() ? "" : arguments.rest().getFirst());
    String kind = kind(arguments);
    String mode = arguments.value(MODE).orElse(PROXY);
    Map<String, String> values = values(arguments, kind);
    List<String> flags = flags(kind, mode, values);
    values.put("RULES", JsonText.plain(Value.of(folder.resolve(StartFiles.RULES).toAbsolutePath().normalize().toString()
        .replace("$", "$$"))));
    values.put("TEST", command("test", flags, "."));
    StartFiles files = new StartFiles(kind, Set.of(mode, arguments.value(TOKENS).orElse("jwt")), values);
    if (!written(folder, files.texts())) {
      return 1;
    }
    return checked(folder, mode, flags, kind.equals("api") ? "/api/orders" : "/");
  }

  private static Path folder(String name) throws UsageException {
    try {
      return Path.of(name);
    } catch (InvalidPathException _) {
      throw new UsageException("`" + name + "` is not the path of a folder");
    }
  }

  /** Returns the kind, to which all given options belong. */
  private static String kind(Arguments arguments) throws UsageException {
    String kind = arguments.value(KIND).orElseThrow(() -> new UsageException("name the kind of application: " + KIND
        + " oidc (tokens of an OpenID provider), session (browsers, a login page) or api (tokens with scopes)"));
    for (Option option : OPTIONS) {
      if (arguments.has(option.name()) && !KINDS_OF.getOrDefault(option.name(), Set.of(kind)).contains(kind)) {
        throw new UsageException("`" + option.name() + "` is not an option of `" + KIND + " " + kind + "`");
      }
    }
    return kind;
  }

  /** Returns what the names in the samples stand for. */
  private static Map<String, String> values(Arguments arguments, String kind) throws UsageException {
    Map<String, String> out = new HashMap<>();
    String upstream = value(arguments, UPSTREAM, "http://127.0.0.1:8080", ORIGIN, "the scheme, host and port of a "
        + "service, like http://127.0.0.1:8080");
    String scheme = upstream.substring(0, upstream.indexOf(':'));
    out.put("UPSTREAM", upstream);
    out.put("FORWARD", "{ host: \"" + upstream.substring(scheme.length() + 3) + "\", rewrite: { scheme: " + scheme
        + " } }");
    String issuer = value(arguments, ISSUER, "https://login.example.com", URL, "a URL, like https://login.example.com");
    String base = issuer.replaceFirst("/$", "");
    out.put("ISSUER", issuer);
    out.put("BASE", base);
    out.put("METADATA", base + "/.well-known/openid-configuration");
    out.put("AUDIENCE", value(arguments, AUDIENCE, kind, "[A-Za-z0-9._~:/-]+", "a name or URL"));
    out.put("SESSION", value(arguments, SESSION, "https://login.example.com/session", URL, "a URL"));
    out.put("LOGIN", value(arguments, LOGIN, "https://login.example.com/login", URL, "a URL without a query"));
    out.put("COOKIE", value(arguments, COOKIE, "session", "[A-Za-z0-9._-]+", "the name of a cookie"));
    boolean jwt = !arguments.value(TOKENS).equals(Optional.of("introspection"));
    out.put("READER", jwt ? "<token:reader>" : "reader");
    out.put("WRITER", jwt ? "<token:writer>" : "writer");
    return out;
  }

  private static String value(Arguments arguments, String option, String otherwise, String pattern, String right)
      throws UsageException {
    String value = arguments.value(option).orElse(otherwise);
    if (!value.matches(pattern)) {
      throw new UsageException("`" + option + "` is " + right + ", not `" + value + "`");
    }
    return value;
  }

  /** Returns what enforcement has to be given up until certificates are configured. */
  private static List<String> flags(String kind, String mode, Map<String, String> values) {
    List<String> out = new ArrayList<>(List.of(Flags.INGRESS));
    if (mode.equals(PROXY) && values.get("UPSTREAM").startsWith("http:")) {
      out.add(Flags.UPSTREAM);
    }
    if (values.get(kind.equals("session") ? "SESSION" : "METADATA").startsWith("http:")) {
      out.add(Flags.EGRESS);
    }
    return out;
  }

  /** Writes all files or none; existing ones are never overwritten. */
  private boolean written(Path folder, SequencedMap<String, String> texts) {
    List<Path> existing = texts.keySet().stream().map(folder::resolve).filter(Files::exists).toList();
    if (!existing.isEmpty()) {
      console.complain("nothing was written, as `" + existing.getFirst() + "` exists"
          + (existing.size() == 1 ? "" : " and " + (existing.size() - 1) + " others do"));
      return false;
    }
    List<Path> done = new ArrayList<>();
    try {
      Files.createDirectories(folder.toAbsolutePath());
      for (Map.Entry<String, String> file : texts.entrySet()) {
        Path path = folder.resolve(file.getKey());
        Files.writeString(path, "", StandardOpenOption.CREATE_NEW);
        done.add(path);
        Files.writeString(path, file.getValue());
      }
      texts.keySet().forEach(name -> console.say(folder.resolve(name).toString()));
      return true;
    } catch (IOException e) {
      done.forEach(Init::remove);
      console.complain("nothing was written: " + FileFailure.reason(e));
      return false;
    }
  }

  private static void remove(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // what failed before is reported
    }
  }

  private int checked(Path folder, String mode, List<String> flags, String path) throws UsageException {
    String config = folder.resolve(StartFiles.CONFIG).toString();
    List<String> words = new ArrayList<>(flags);
    words.addAll(List.of(Flags.CONFIG, config));
    int status = new Validate(console).config(Arguments.parse(words, Flags.with(Flags.OUTPUT)));
    if (status == 0) {
      console.say("\nNext:\n  " + String.join("\n  ",
          command("test", flags, folder.toString().isEmpty() ? "." : quoted(folder.toString())),
          command("serve " + mode, flags, "-c " + quoted(config)),
          command("explain", flags, "-c " + quoted(config) + " http://127.0.0.1:4456" + path + " --expect 401")));
    }
    return status;
  }

  private static String command(String name, List<String> flags, String rest) {
    return "portcullis " + name + " " + String.join(" ", flags) + " " + rest;
  }

  /** Returns the string quoted for shells. */
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
