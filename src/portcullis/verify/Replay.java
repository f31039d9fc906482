package portcullis.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.UnreadableFile;
import portcullis.policy.replay.DecisionText;
import portcullis.policy.replay.PastDecision;
import portcullis.policy.replay.Redecision;
import portcullis.serve.runtime.Settings;

/** Decides the requests of a decision log again by other rules, and finds those that are decided otherwise. */
public final class Replay {
  private static final int NAMED_LINES = 3;

  private final Map<Group, Found> groups = new LinkedHashMap<>();
  private final SortedSet<String> samples = new TreeSet<>();
  private long decisions;
  private long unchanged;
  private long lost;
  private long unreadable;
  private final List<String> unreadablePlaces = new ArrayList<>();
  private long unopened;
  private long unkeyed;
  private long named;
  private final Optional<SymmetricKey> key;
  private boolean opens;

  private Replay(Optional<SymmetricKey> key) {
    this.key = key;
  }

  /** How a decision changes; in the order of the report. */
  public enum Change {
    NEWLY_ALLOWED("newly allowed"), NEWLY_DENIED("newly denied"), DENIED_OTHERWISE("denied otherwise"),
    UNDECIDED("undecided");

    private final String text;

    Change(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /**
   * A group of decisions that change in the same way.
   *
   * @param before and now are clauses; of undecided ones {@code now} is the reason
   */
  record Group(Change change, String before, String now) {}

  /** The number of decisions of a group, and the first of them. */
  record Found(long count, LoggedDecision first) {}

  /**
   * The result of a replay.
   *
   * @param samples shares of allowed decisions that were logged
   * @param lost decisions that are missing in the log
   * @param unreadable lines that are not decisions
   * @param unreadablePlaces where the first of them are
   * @param unopened sealed requests that the key does not open
   * @param unkeyed sealed requests that are undecided without a key
   * @param named requests without a sealed part that was opened
   * @param damaged whether lines of the audit chain of the log are missing or changed
   */
  public record Outcome(long decisions, long unchanged, List<Changed> changes, List<String> samples, long lost,
      long unreadable, List<String> unreadablePlaces, long unopened, long unkeyed, long named,
      boolean damaged) {
    public long count(Change change) {
      return changes.stream().filter(one -> one.change == change).mapToLong(Changed::count).sum();
    }
  }

  /** Requests that change in the same way. @param witness one of them. @param place its line in the log */
  public record Changed(Change change, long count, String before, String now, String witness, String time,
      String place) {}

  /**
   * Replays logs.
   *
   * @param settings with the rules that decide now
   * @param key of sealed requests
   * @return empty exactly if a problem was added
   */
  public static Optional<Outcome> run(Settings settings, Enforcement enforcement, List<Path> logs,
      Optional<SymmetricKey> key, Problems problems) {
    requireOnce(logs, problems);
    if (problems.hasErrors()) {
      return Optional.empty();
    }
    try (OfflineDecider decider = new OfflineDecider(settings.withOrigins(), enforcement)) {
      if (!decider.load(problems)) {
        return Optional.empty();
      }
      Replay replay = new Replay(key);
      LogReplay redecision = new LogReplay(decider, settings.main().proxies(), key);
      for (Path log : logs) {
        replay.read(log, redecision, problems);
      }
      replay.require(problems);
      return problems.hasErrors() ? Optional.empty() : Optional.of(replay.outcome(isDamaged(logs)));
    }
  }

  /**
   * Returns whether the logs are an audit chain that is not whole; logs without a chain show nothing of that. The
   * newest file alone may be without a checkpoint.
   */
  private static boolean isDamaged(List<Path> logs) {
    List<Path> files = logs.stream().filter(Files::isRegularFile).toList(); // others can be read once only
    return AuditVerification.run(files, List.of(), Optional.empty(), new Problems())
        .filter(report -> report.all().stream().anyMatch(one -> one.kind() != AuditFinding.Kind.UNSIGNED)).isPresent();
  }

  /** Adds a problem for each log that is named again: its decisions would count twice. */
  private static void requireOnce(List<Path> logs, Problems problems) {
    Map<Path, Path> named = new HashMap<>();
    for (Path log : logs) {
      Path known = named.putIfAbsent(real(log), log);
      if (known != null) {
        problems.error(Origin.BUILT_IN, "", "`" + log + "` is given twice"
            + (known.equals(log) ? "" : ", as `" + known + "` too"), "its decisions would count twice");
      }
    }
  }

  private static Path real(Path log) {
    try {
      return log.toRealPath();
    } catch (IOException _) {
      return log; // reported when it is read
    }
  }

  /** Adds a problem if nothing could be replayed, or not with this key: an outcome without changes would mislead. */
  private void require(Problems problems) {
    if (decisions == 0 && !problems.hasErrors()) {
      String where = unreadablePlaces.isEmpty() ? ""
          : ": " + String.join(", ", unreadablePlaces) + (unreadable > NAMED_LINES ? ", …" : "");
      problems.error(Origin.BUILT_IN, "", "there is no decision in the log" + where,
          "name a file that `decision_log` wrote");
    }
    if (unopened > 0 && !opens) {
      problems.error(Origin.BUILT_IN, "", "the key opens no sealed request of the log",
          "name the file of `decision_log.seal_key`");
    }
  }

  private void read(Path log, LogReplay redecision, Problems problems) {
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(AuditFile.opened(log), StandardCharsets.UTF_8.newDecoder()))) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        line(line, log + ":" + number, redecision);
      }
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "", "cannot read " + UnreadableFile.message(log, e), "");
    }
  }

  private void line(String line, String place, LogReplay redecision) {
    Optional<LoggedDecision> logged = LoggedDecision.of(line, place);
    if (logged.isEmpty()) {
      Optional<Long> missing = LoggedDecision.lost(line);
      lost += missing.orElse(0L);
      if (missing.isEmpty() && !line.isBlank() && !LoggedDecision.isOther(line)) {
        unreadable++;
        if (unreadable <= NAMED_LINES) {
          unreadablePlaces.add(place);
        }
      }
      return;
    }
    decisions++;
    boolean opened = key.flatMap(logged.get()::opened).isPresent();
    opens |= opened;
    named += opened || logged.get().rejected() ? 0 : 1;
    unopened += key.isPresent() && logged.get().isSealed() && !opened ? 1 : 0;
    logged.get().sampled().ifPresent(samples::add);
    Optional<Group> group = changed(logged.get(), redecision.of(logged.get()));
    boolean undecided = group.filter(one -> one.change == Change.UNDECIDED).isPresent();
    unkeyed += undecided && key.isEmpty() && logged.get().isSealed() ? 1 : 0;
    if (group.isEmpty()) {
      unchanged++;
    } else {
      groups.merge(group.get(), new Found(1, logged.get()), (a, b) -> new Found(a.count + 1, a.first));
    }
  }

  private static Optional<Group> changed(LoggedDecision logged, Redecision.Result result) {
    return switch (result) {
      case Redecision.Result.Unchanged _ -> Optional.empty();
      case Redecision.Result.Undecided(String reason) ->
        Optional.of(new Group(Change.UNDECIDED, before(logged), reason));
      case Redecision.Result.Decided now when now.allowed() && !logged.allowed() ->
        Optional.of(new Group(Change.NEWLY_ALLOWED, before(logged), DecisionText.of(now)));
      case Redecision.Result.Decided now when !now.allowed() && logged.allowed() ->
        Optional.of(new Group(Change.NEWLY_DENIED, before(logged), DecisionText.of(now)));
      case Redecision.Result.Decided now when !now.allowed() && !now.error().equals(logged.error()) ->
        Optional.of(new Group(Change.DENIED_OTHERWISE, before(logged), DecisionText.of(now)));
      case Redecision.Result.Decided _ -> Optional.empty();
    };
  }

  private static String before(LoggedDecision logged) {
    String step = logged.steps().stream().filter(PastDecision.Step::failed).map(PastDecision.Step::id)
        .findFirst().orElse("");
    return DecisionText.of(logged.allowed(), logged.rule("id"), logged.rule("at"), step, logged.error());
  }

  private Outcome outcome(boolean damaged) {
    List<Changed> changes = new ArrayList<>();
    groups.forEach((group, found) -> changes.add(new Changed(group.change, found.count, group.before, group.now,
        found.first.text(), found.first.time().toString(), found.first.place())));
    changes.sort(Comparator.comparing(Changed::change).thenComparing(Changed::count, Comparator.reverseOrder()));
    return new Outcome(decisions, unchanged, List.copyOf(changes), List.copyOf(samples), lost, unreadable,
        List.copyOf(unreadablePlaces), unopened, unkeyed, named, damaged);
  }
}
