package portcullis.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.KeyFile;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.PastedKey;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.lock.Lock;
import portcullis.serve.lock.LockDocument;

/** Locks and unlocks subjects, sessions, tokens and clients of a running service, and lists its locks. */
final class LockCommands {
  static final String UNLOCK_OPERANDS = "[ID]";

  private static final String KEY = "--key";
  private static final String FOR = "--for";
  private static final String REASON = "--reason";
  private static final String ISSUER = "--issuer";
  static final String LOCKOUT = "--lockout";
  private static final Map<Lock.Target, String> TARGETS = targets();
  private static final Arguments.Option KEY_OPTION = new Arguments.Option(KEY, "", "FILE",
      "the key of management.locks.key_file, by default that of the configuration");

  static final List<Arguments.Option> LOCK_OPTIONS = List.of(
      new Arguments.Option(TARGETS.get(Lock.Target.SUBJECT), "", "ID", "the subject to lock, as logs name it"),
      new Arguments.Option(TARGETS.get(Lock.Target.SESSION), "", "ID", "the session to lock: `sid` of its tokens"),
      new Arguments.Option(TARGETS.get(Lock.Target.TOKEN), "", "ID",
          "the token to lock: its `jti`, or the id of an API key"),
      new Arguments.Option(TARGETS.get(Lock.Target.CLIENT), "", "NETWORK", "the clients to lock, as 192.0.2.0/24"),
      new Arguments.Option(ISSUER, "", "URL",
          "locks only what this issuer issued, written as `iss` of its tokens; the subject is then their `sub`"),
      new Arguments.Option(FOR, "", "DURATION", "how long, as 1h or 30d; by default until it is unlocked"),
      new Arguments.Option(REASON, "", "TEXT", "why, for the log and the audit chain; required"), KEY_OPTION,
      ManagementService.URL_OPTION, ManagementService.CONFIG_OPTION, ManagementService.PREFIX_OPTION,
      ManagementService.CA_OPTION);
  static final List<Arguments.Option> UNLOCK_OPTIONS = List.of(
      new Arguments.Option(LOCKOUT, "", "ADDRESS", "ends the lockouts of a client after failed attempts, no lock"),
      KEY_OPTION, ManagementService.URL_OPTION,
      ManagementService.CONFIG_OPTION, ManagementService.PREFIX_OPTION, ManagementService.CA_OPTION);
  static final List<Arguments.Option> LIST_OPTIONS = List.of(KEY_OPTION, ManagementService.URL_OPTION,
      ManagementService.CONFIG_OPTION, ManagementService.PREFIX_OPTION, ManagementService.CA_OPTION, Flags.OUTPUT);

  private final Console console;

  LockCommands(Console console) {
    this.console = console;
  }

  private static Map<Lock.Target, String> targets() {
    Map<Lock.Target, String> out = new LinkedHashMap<>();
    out.put(Lock.Target.SUBJECT, "--subject");
    out.put(Lock.Target.SESSION, "--session");
    out.put(Lock.Target.TOKEN, "--token-id");
    out.put(Lock.Target.CLIENT, "--client");
    return out;
  }

  int lock(Arguments arguments) throws Arguments.UsageException {
    List<Lock.Target> named = TARGETS.keySet().stream().filter(target -> arguments.has(TARGETS.get(target))).toList();
    if (named.size() != 1) {
      throw new Arguments.UsageException("name one of " + String.join(", ", TARGETS.values()));
    }
    String reason = arguments.value(REASON).filter(text -> !text.isBlank())
        .orElseThrow(() -> new Arguments.UsageException("give a reason: " + REASON + " 'laptop stolen'"));
    Map<String, Value> lock = new LinkedHashMap<>();
    lock.put("target", Value.of(named.getFirst().text()));
    lock.put("value", Value.of(value(TARGETS.get(named.getFirst()), arguments)));
    lock.put("issuer", Value.of(arguments.value(ISSUER).orElse("")));
    lock.put("reason", Value.of(reason));
    Optional<Duration> time = time(arguments);
    time.ifPresent(t -> lock.put("until",
        Value.of(Instant.now().plus(t).plusMillis(999).truncatedTo(ChronoUnit.SECONDS).toString())));
    return call(arguments, "POST", "", JsonText.plain(new Value.Dict(lock)),
        answer -> console.say("locked: " + text(answer)));
  }

  private static String value(String option, Arguments arguments) throws Arguments.UsageException {
    String value = arguments.value(option).orElseThrow();
    if (value.isBlank() || value.length() > LockDocument.LONGEST_VALUE) {
      throw new Arguments.UsageException(value.isBlank() ? "`" + option + "` is followed by what is locked"
          : "`" + option + "` is followed by at most " + LockDocument.LONGEST_VALUE + " characters");
    }
    return value;
  }

  private static Optional<Duration> time(Arguments arguments) throws Arguments.UsageException {
    if (!arguments.has(FOR)) {
      return Optional.empty();
    }
    Optional<Duration> time = KeyCommands.period(arguments.value(FOR).orElse("")).filter(Duration::isPositive);
    return Optional.of(time.orElseThrow(
        () -> new Arguments.UsageException("`" + FOR + "` is a duration: hours, minutes and seconds as 1h30m, or days "
            + "alone as 30d, up to 99999d; leave it out to lock until it is unlocked")));
  }

  int unlock(Arguments arguments) throws Arguments.UsageException {
    Optional<String> client = arguments.value(LOCKOUT);
    if (client.isPresent()) {
      if (!arguments.rest().isEmpty() || !client.get().matches("[0-9A-Fa-f.:]+(/[0-9]+)?|unknown")) {
        throw new Arguments.UsageException("`" + LOCKOUT + "` is followed by one address, as 192.0.2.7");
      }
      return call(arguments, "DELETE", "/lockouts/" + client.get(), "",
          answer -> console.say("ended: lockouts of " + member(answer, "client")));
    }
    String id = arguments.rest().stream().findFirst().filter(word -> word.matches("[0-9a-f]{16}"))
        .orElseThrow(() -> new Arguments.UsageException("name the lock by its id, which `portcullis locks` shows; "
            + "to end lockouts: `" + LOCKOUT + " ADDRESS`"));
    return call(arguments, "DELETE", "/" + id, "", answer -> console.say("unlocked: " + text(answer)));
  }

  int list(Arguments arguments) throws Arguments.UsageException {
    return call(arguments, "GET", "", "", answer -> {
      if (Flags.json(arguments)) {
        console.say(JsonText.plain(answer));
      } else if (answer.get("locks").orElse(Value.NULL) instanceof Value.Array locks) {
        locks.items().forEach(lock -> console.say(text((Value.Dict) lock)));
      }
      if (!Flags.json(arguments) && answer.get("lockouts").orElse(Value.NULL) instanceof Value.Array lockouts) {
        lockouts.items().forEach(one -> console.say(lockout((Value.Dict) one)));
      }
    });
  }

  private static String text(Value.Dict lock) {
    StringBuilder out = new StringBuilder(member(lock, "id") + "  " + member(lock, "target") + " "
        + member(lock, "value"));
    for (String name : List.of("issuer", "until", "reason", "origin", "authenticated_until")) {
      String value = member(lock, name);
      out.append(value.isEmpty() ? "" : "  " + name.replace("authenticated_until", "only logins until") + ": " + value);
    }
    return out.toString();
  }

  private static String lockout(Value.Dict one) {
    return "lockout  " + member(one, "client") + "  credentials: "
        + JsonText.plain(one.get("credentials").orElse(Value.NULL)) + "  until: " + member(one, "until");
  }

  /** A line break or reversed text in a reason could imitate another lock. */
  private static String onOneLine(String text) {
    return TerminalText.of(text).equals(text) ? text : TerminalText.escaped(JsonText.quoted(text, false), "");
  }

  private static String member(Value.Dict object, String name) {
    return object.get(name).orElse(Value.NULL) instanceof Value.Str text ? onOneLine(text.value()) : "";
  }

  /** Shows the answer to a call. */
  private interface Display {
    void show(Value.Dict answer);
  }

  private int call(Arguments arguments, String method, String path, String body, Display display)
      throws Arguments.UsageException {
    try {
      Optional<ManagementService> service = ManagementService.of(arguments, console);
      return service.isPresent() ? call(service.get(), key(arguments, service.get()), method, path, body, display) : 1;
    } catch (KeyMaterialException e) {
      console.complain(e.getMessage());
      return 1;
    } catch (InvalidPathException e) {
      throw new Arguments.UsageException("`" + KEY + "` is not the path of a file");
    }
  }

  private static String key(Arguments arguments, ManagementService service)
      throws Arguments.UsageException, KeyMaterialException {
    Path file = arguments.value(KEY).map(Path::of).or(service::key).orElseThrow(() -> new Arguments.UsageException(
        "name the file of the key by `" + KEY + " FILE`: the configuration has no management.locks.key_file"));
    return keyText(file);
  }

  /** Returns the text of a key; an error names the file, unless that is the key itself. */
  static String keyText(Path file) throws KeyMaterialException {
    try {
      return KeyFile.text(file).strip();
    } catch (KeyMaterialException e) {
      throw PastedKey.isLike(file) ? e
          : new KeyMaterialException("the key in `" + file + "` cannot be read: " + e.getMessage());
    }
  }

  private int call(ManagementService service, String key, String method, String path, String body, Display display)
      throws Arguments.UsageException {
    HttpClient.Builder builder = HttpClient.newBuilder().connectTimeout(ManagementService.TIMEOUT);
    service.tls().ifPresent(builder::sslContext);
    try (HttpClient client = builder.build()) {
      URI uri = URI.create(service.url().replaceAll("/+$", "") + "/locks" + path);
      HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).timeout(ManagementService.TIMEOUT)
          .header("Authorization", "Bearer " + key).header("Content-Type", "application/json")
          .method(method, body.isEmpty() ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofString(body))
          .build(), HttpResponse.BodyHandlers.ofString());
      if (Json.read(answer.body()) instanceof Value.Dict document && answer.statusCode() / 100 == 2) {
        display.show(document);
        document.get("warning").ifPresent(_ -> console.complain("warning: " + member(document, "warning")));
        return 0;
      } else if (Json.read(answer.body()) instanceof Value.Dict document) {
        console.complain(member(document, "error"));
        return 1;
      }
      console.complain("unexpected status " + answer.statusCode() + " from " + uri);
    } catch (IOException e) {
      console.complain(service.url() + ": " + ManagementService.reason(e));
    } catch (ValueException _) {
      console.complain(service.url() + ": the answer is not JSON: it is not the management service, or that has no "
          + "management.locks.key_file");
    } catch (IllegalArgumentException _) {
      throw new Arguments.UsageException("invalid URL or key: " + service.url());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }
}
