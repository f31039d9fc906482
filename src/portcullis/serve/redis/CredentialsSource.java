package portcullis.serve.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Yaml;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.PastedKey;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Log;

/** The credentials for Redis, requested for each new connection. Thread safe. */
interface CredentialsSource {
  /** No credentials: Redis requires no password. */
  CredentialsSource NONE = () -> new UserPassword("", "");

  UserPassword credentials();

  /** @param user empty for the default user */
  record UserPassword(String user, String password) {
    /** Without the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  /** The configured credentials, or the file that contains them. */
  record Settings(Optional<UserPassword> credentials, Optional<LocatedText> path) {
    static Decoder<Settings> decoder() {
      Key<String> user = Key.withDefault("username", Decoders.text(), "", "the user");
      Key<Optional<String>> password = Key.optional("password", Decoders.nonEmpty(), "the password");
      Key<Optional<LocatedText>> path = Key.optional("path", Decoders.located(),
          "a file that contains username and password");
      return Decoders.checked("credentials", List.of(user, password, path), (p, problems) -> {
        boolean inWords = p.get(password).isPresent() || !p.get(user).isEmpty();
        if (inWords && p.get(path).isEmpty() && p.get(password).isEmpty()) {
          problems.warning(p.at(user), p.node().path(), "`username` has no effect without `password`",
              "name the password or remove it");
          return Optional.of(new Settings(Optional.of(NONE.credentials()), Optional.empty()));
        }
        if (inWords == p.get(path).isPresent() || inWords && p.get(password).isEmpty()) {
          problems.error(p.node().at(), p.node().path(), "either `path` is needed, or `password`, with `username` or "
              + "without", "");
          return Optional.empty();
        }
        return Optional.of(new Settings(p.get(password).map(word -> new UserPassword(p.get(user), word)), p.get(path)));
      });
    }

    /** Returns {@link #NONE} where nothing is configured; empty exactly if a problem was added. */
    static Optional<CredentialsSource> login(Optional<Settings> settings, Log log, Problems problems) {
      return settings.isEmpty() ? Optional.of(NONE) : settings.get().login(log, problems);
    }

    private Optional<CredentialsSource> login(Log log, Problems problems) {
      if (credentials.isPresent()) {
        return Optional.of(credentials::get);
      }
      LocatedText place = path.orElseThrow();
      Problems inFile = new Problems();
      Optional<InFile> file = InFile.of(place.text(), log, inFile);
      inFile.sorted()
          .forEach(problem -> problems.error(place.at(0, place.text().length()), place.path(), problem.text(), ""));
      return file.map(CredentialsSource.class::cast);
    }
  }

  /**
   * Credentials in a file, which is read again for each new connection; if it cannot be used, the previous ones are.
   */
  final class InFile implements CredentialsSource {
    private static final String PROBLEM = "credentials of redis";
    private static final int LARGEST_BYTES = 1 << 16;

    private final Path file;
    private final Log log;
    private volatile UserPassword last;

    private InFile(Path file, UserPassword first, Log log) {
      this.file = file;
      this.last = first;
      this.log = log;
    }

    static Optional<InFile> of(String path, Log log, Problems problems) {
      try {
        Path file = Path.of(path);
        return read(file, problems).map(credentials -> new InFile(file, credentials, log));
      } catch (InvalidPathException _) {
        problems.error(Origin.BUILT_IN, "", "`" + Decoders.shortened(path) + "` is not a file path", "");
        return Optional.empty();
      }
    }

    private static Optional<UserPassword> read(Path file, Problems problems) {
      try (var in = Files.newInputStream(file)) {
        String text = new String(in.readNBytes(LARGEST_BYTES), StandardCharsets.UTF_8);
        Key<String> user = Key.withDefault("username", Decoders.text(), "", "the user");
        Key<String> password = Key.required("password", Decoders.nonEmpty(), "the password");
        Optional<UserPassword> read = Yaml.read(new SourceFile(file.toString(), text), problems)
            .flatMap(node -> Decoders.object("credentials", List.of(user, password),
                p -> new UserPassword(p.get(user), p.get(password))).decode(node, problems));
        if (read.isEmpty() && !problems.hasErrors()) {
          problems.error(Origin.BUILT_IN, "", "the file `" + file + "` is empty", "`password: …` is needed in it");
        }
        return read;
      } catch (IOException _) {
        problems.error(Origin.BUILT_IN, "", PastedKey.isPath(file.toString()) ? "the file `" + file + "` cannot be read"
            : "the file cannot be read, and its name is not shown, as it may be a password",
            "a file with `password` is needed");
        return Optional.empty();
      }
    }

    @Override
    public UserPassword credentials() {
      Problems problems = new Problems();
      Optional<UserPassword> now = read(file, problems).filter(_ -> !problems.hasErrors());
      if (now.isEmpty()) {
        log.problem(PROBLEM, "Credentials of Redis not reloaded, the previous ones stay in use", "_file", file,
            "_error",
            problems.sorted().stream().map(Problem::message).findFirst().orElseThrow());
      } else {
        log.resolved(PROBLEM, "Credentials of Redis can be read again", "_file", file);
      }
      last = now.orElse(last);
      return last;
    }
  }
}
