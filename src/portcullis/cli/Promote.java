package portcullis.cli;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Problems;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.serve.provider.FileSystem;
import portcullis.serve.provider.Providers;
import portcullis.serve.runtime.Settings;
import portcullis.verify.DecisionText;

/** Replaces live rules by the shadow rules that a running service has compared with them. */
final class Promote {
  static final String DOC = "Puts shadow rules in force, after a report of what a running service saw of them.";

  private static final String NEWLY_ALLOWED = "--accept-newly-allowed";
  private static final String UNJUDGED = "--accept-undecided";
  private static final String DRY = "--dry-run";
  static final List<Arguments.Option> OPTIONS = Flags.with(
      new Arguments.Option(NEWLY_ALLOWED, "", "", "promote although requests are newly allowed"),
      new Arguments.Option(UNJUDGED, "", "",
          "promote although the shadow rules have decided no request, or not all of them"),
      new Arguments.Option(DRY, "", "", "only report"), ManagementService.CA_OPTION);

  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration DECISION_PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Console console;
  private final ManagementClient management;

  Promote(Console console) {
    this.console = console;
    this.management = new ManagementClient(console);
  }

  /** Thrown where the rules cannot be promoted; an expected outcome. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1;

    RefusedException(String message) {
      super(message, null, false, false);
    }
  }

  /** 0 if they are in force, or would be; 1 if they are not, or not applied; 2 if that could not be tried. */
  int run(Arguments arguments) throws Arguments.UsageException {
    if (!arguments.has(Flags.CONFIG)) {
      throw new Arguments.UsageException("no config file provided: name one by `-c FILE`");
    }
    Problems problems = new Problems();
    Optional<Settings> settings = Flags.configuration(arguments).settings(problems);
    console.show(problems);
    if (settings.isEmpty()) {
      return 2;
    }
    try {
      return promoted(settings.get(), arguments);
    } catch (RefusedException e) {
      console.complain("not promoted: " + e.getMessage());
      return 1;
    } catch (KeyMaterialException | ManagementClient.UnavailableException e) {
      console.complain("not promoted: " + e.getMessage());
    } catch (IOException e) {
      console.complain("not promoted: " + FileFailure.reason(e));
    } catch (InvalidPathException e) {
      console.complain("not promoted: `" + e.getInput() + "` is not a path");
    }
    return 2;
  }

  private int promoted(Settings settings, Arguments arguments) throws RefusedException, IOException,
      Arguments.UsageException, KeyMaterialException, ManagementClient.UnavailableException {
    Providers.Files files = settings.providers().files().filter(one -> one.shadow().isPresent())
        .orElseThrow(() -> new RefusedException("the configuration has no `providers.file_system.shadow`"));
    Path src = Path.of(files.src().text());
    RuleFolderSwap.recover(src)
        .ifPresent(old -> console.say("a promotion was interrupted before; " + shown(old) + " is "
            + shown(src) + " again"));
    RuleSwap swap = RuleSwap.of(src, Path.of(files.shadow().orElseThrow().text()));
    Optional<String> obstacle = swap.obstacle();
    if (obstacle.isPresent()) {
      throw new RefusedException(obstacle.get());
    }
    SequencedMap<String, String> texts = swap.texts();
    SequencedMap<String, String> digests = RuleSwap.digests(swap.shadow(), texts);
    Value.Dict status = decided(arguments, digests);
    Value.Dict shadow = dict(status, "shadow");
    report(shadow);
    checkLive(status, swap.live(), files.watch());
    if (number(shadow, "decided") == 0 && !arguments.on(UNJUDGED)) {
      throw new RefusedException("no request was decided by the shadow rules yet (`" + UNJUDGED + "` permits it)");
    }
    if (number(shadow, "newly_allowed") > 0 && !arguments.on(NEWLY_ALLOWED)) {
      throw new RefusedException("requests are newly allowed (`" + NEWLY_ALLOWED + "` permits it)");
    }
    long undecided = number(shadow, "undecided");
    long dropped = number(shadow, "dropped");
    if (undecided + dropped > 0 && !arguments.on(UNJUDGED)) {
      throw new RefusedException("requests were not decided by the shadow rules, any of which may be newly allowed: "
          + undecided + " undecided, " + dropped + " dropped (`" + UNJUDGED + "` permits it)");
    }
    if (arguments.on(DRY)) {
      return 0;
    }
    Path old = swap.run(texts, Instant.now());
    console.say("promoted; the rules of before are in " + shown(old));
    return files.watch() ? awaited(arguments, swap, RuleSwap.digests(swap.src(), texts), old) : unwatched();
  }

  /** Returns the status once the requests that wait now are decided too, any of which may be newly allowed. */
  private Value.Dict decided(Arguments arguments, SequencedMap<String, String> digests) throws RefusedException,
      Arguments.UsageException, KeyMaterialException, ManagementClient.UnavailableException {
    Value.Dict status = status(arguments);
    Value.Dict shadow = dict(status, "shadow");
    check(shadow, digests);
    long expected = compared(shadow) + number(shadow, "waiting");
    for (long end = System.nanoTime() + DECISION_PATIENCE.toNanos(); compared(shadow) < expected;) {
      if (System.nanoTime() > end && !arguments.on(UNJUDGED)) {
        throw new RefusedException(counted(expected - compared(shadow)) + " of before were not decided by the shadow "
            + "rules within " + DECISION_PATIENCE.toSeconds() + " s: try again (`" + UNJUDGED + "` permits it)");
      }
      if (System.nanoTime() > end || !pause()) {
        break;
      }
      status = status(arguments);
      shadow = dict(status, "shadow");
      check(shadow, digests);
    }
    return status;
  }

  private static long compared(Value.Dict shadow) {
    return number(shadow, "decided") + number(shadow, "undecided");
  }

  /** Returns whether nothing asks for an end. */
  private static boolean pause() {
    try {
      Thread.sleep(PAUSE);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private int unwatched() {
    console.say("`providers.file_system.watch` is off: the service applies them when it gets SIGHUP or is restarted");
    return 0;
  }

  private Value.Dict status(Arguments arguments) throws Arguments.UsageException, KeyMaterialException,
      ManagementClient.UnavailableException {
    Optional<String> body = management.get(arguments, "/status");
    try {
      if (Json.read(body.orElse("")) instanceof Value.Dict status) {
        return status;
      }
    } catch (ValueException _) {
      // reported below
    }
    throw new ManagementClient.UnavailableException("the answer of /status is not JSON");
  }

  /** Requires that the service has compared what is in the files now. */
  private static void check(Value.Dict shadow, SequencedMap<String, String> digests) throws RefusedException {
    if (shadow.members().isEmpty()) {
      throw new RefusedException("the running service has no shadow rules");
    }
    for (Value.Dict set : items(shadow, "rule_sets")) {
      if (!string(set, "outcome").equals("applied")) {
        throw new RefusedException("the service has rejected " + TerminalText.of(string(set, "source")) + ": "
            + TerminalText.of(String.join("; ", strings(set, "problems"))));
      }
    }
    if (!digests(shadow, digests.keySet()).equals(digests)) {
      throw new RefusedException("the shadow rules are not those that the service compares: it has to load them first");
    }
    if (!Value.TRUE.equals(shadow.members().get("compared"))) {
      throw new RefusedException("the service compares nothing at present");
    }
  }

  /**
   * Requires that the live files, which are kept as the way back, are in use: the shadow rules were compared with those
   * that are, and others could perhaps not be put back.
   *
   * @param status with the comparison: a later one may be of other live rules
   * @param live the digests of the files as they are now
   */
  private static void checkLive(Value.Dict status, SequencedMap<String, String> live, boolean watched)
      throws RefusedException {
    for (Value.Dict set : items(status, "rule_sets")) {
      String source = string(set, "source");
      if (source.startsWith(FileSystem.KIND) && !string(set, "outcome").equals("applied")) {
        throw new RefusedException("the live file " + file(source)
            + " would be kept as the way back, but the service has rejected it and could not load it again: "
            + TerminalText.of(String.join("; ", strings(set, "problems")))
            + " (correct it, or put back what it was, and promote again)");
      }
    }
    Map<String, String> applied = digests(status, live.keySet());
    Set<String> sources = new TreeSet<>(applied.keySet());
    sources.addAll(live.keySet());
    for (String source : sources) {
      String change = !live.containsKey(source) ? "is gone or empty"
          : !applied.containsKey(source) ? "is new"
              : live.get(source).equals(applied.get(source)) ? "" : "has changed";
      if (!change.isEmpty()) {
        throw new RefusedException("the live file " + file(source) + " " + change + ", and the service has not applied "
            + "that: the shadow rules were compared with the live rules of before (" + (watched
                ? "wait until it has; its log says if it cannot"
                : "send it SIGHUP, as `watch` is off")
            + "; promote again once it has compared)");
      }
    }
  }

  private static String file(String source) {
    return TerminalText.of(source.substring(FileSystem.KIND.length()));
  }

  /**
   * Returns the digests of the rule sets that come from files, by their names.
   *
   * @param files the names of those that have to be there: of others only those with rules are, not test cases
   */
  private static Map<String, String> digests(Value.Dict status, Set<String> files) {
    Map<String, String> out = new TreeMap<>();
    items(status, "rule_sets").stream().filter(set -> string(set, "source").startsWith(FileSystem.KIND))
        .filter(set -> number(set, "rules") > 0 || files.contains(string(set, "source")))
        .forEach(set -> out.put(string(set, "source"), string(set, "sha256")));
    return out;
  }

  private void report(Value.Dict shadow) {
    for (Value.Dict change : items(shadow, "changes")) {
      console.say(string(change, "change").replace('_', ' ') + ": " + counted(number(change, "count")) + "\n  before   "
          + TerminalText.of(DecisionText.places(string(change, "before"))) + "\n  now      "
          + TerminalText.of(DecisionText.places(string(change, "now")))
          + "\n  request  " + TerminalText.of(string(change, "request_id")) + "\n");
    }
    String since = DecisionText.time(string(shadow, "since"));
    console.say("since " + since + ": " + counted(number(shadow, "decided")) + " decided, "
        + number(shadow, "newly_allowed") + " newly allowed, " + number(shadow, "newly_denied") + " newly denied, "
        + number(shadow, "denied_otherwise") + " denied otherwise; " + number(shadow, "undecided") + " undecided, "
        + number(shadow, "dropped") + " dropped, " + number(shadow, "waiting") + " waiting");
  }

  /** Waits until the service has applied the rules. */
  private int awaited(Arguments arguments, RuleSwap swap, SequencedMap<String, String> digests, Path old)
      throws Arguments.UsageException, KeyMaterialException, ManagementClient.UnavailableException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<String> problems = new ArrayList<>();
    while (System.nanoTime() < end) {
      Value.Dict status = status(arguments);
      if (digests(status, digests.keySet()).equals(digests)) {
        console.say("the service has applied them");
        return 0;
      }
      problems.clear();
      items(status, "rule_sets").stream().filter(one -> digests.containsKey(string(one, "source")))
          .filter(one -> !string(one, "outcome").equals("applied"))
          .forEach(one -> problems.addAll(strings(one, "problems")));
      end = pause() ? end : System.nanoTime();
    }
    console.complain("the service has not applied them within " + PATIENCE.toSeconds() + " s"
        + (problems.isEmpty() ? "" : ": " + TerminalText.of(String.join("; ", problems)))
        + "; `" + TerminalText.of(swap.undo(old)) + "` restores the rules of before");
    return 1;
  }

  private static String counted(long requests) {
    return requests + (requests == 1 ? " request" : " requests");
  }

  private static String shown(Path file) {
    return TerminalText.of(file.toString());
  }

  private static Value.Dict dict(Value.Dict dict, String member) {
    return dict.members().get(member) instanceof Value.Dict inner ? inner : Value.Dict.EMPTY;
  }

  private static String string(Value.Dict dict, String member) {
    return dict.members().get(member) instanceof Value.Str text ? text.value() : "";
  }

  private static long number(Value.Dict dict, String member) {
    return dict.members().get(member) instanceof Value.Int number ? number.value() : 0;
  }

  private static List<Value.Dict> items(Value.Dict dict, String member) {
    return dict.members().get(member) instanceof Value.Array list
        ? list.items().stream().filter(Value.Dict.class::isInstance).map(Value.Dict.class::cast).toList()
        : List.of();
  }

  private static List<String> strings(Value.Dict dict, String member) {
    return dict.members().get(member) instanceof Value.Array list
        ? list.items().stream().filter(Value.Str.class::isInstance).map(one -> ((Value.Str) one).value()).toList()
        : List.of();
  }
}
