package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import portcullis.lang.value.JsonText;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/** Finds requests that two sets of rules decide otherwise. */
final class Differences {
  static final String ALLOWED = "newly-allowed";
  static final String REFUSED = "newly-refused";
  static final String CHANGED = "changed-call";

  private final AnalyzedRules before;
  private final AnalyzedRules now;
  private final List<Finding> out = new ArrayList<>();

  private Differences(AnalyzedRules before, AnalyzedRules now) {
    this.before = before;
    this.now = now;
  }

  static List<Finding> of(AnalyzedRules before, AnalyzedRules now) {
    Differences differences = new Differences(before, now);
    Map<Probe, RouteSample<Rule>> probes = new LinkedHashMap<>();
    Stream.concat(now.samples().stream(), before.samples().stream()).filter(sample -> sample.unknown().isEmpty())
        .forEach(sample -> sample.methods()
            .forEach(method -> probes.putIfAbsent(Probe.of(method, sample.url()), sample)));
    probes.forEach(differences::compare);
    Stream.of(before.unmatched(), now.unmatched()).flatMap(Optional::stream).distinct()
        .forEach(probe -> differences.compare(probe, "every request that no rule is for"));
    return differences.out;
  }

  private void compare(Probe probe, RouteSample<Rule> sample) {
    compare(probe, probe.method() + " " + AnalyzedRules.place(sample));
  }

  private void compare(Probe probe, String what) {
    AccessCheck.Decided oldAnonymous = before.check().anonymous(probe);
    AccessCheck.Decided newAnonymous = now.check().anonymous(probe);
    AccessCheck.Decided oldSubject = before.check().authenticated(probe);
    AccessCheck.Decided newSubject = now.check().authenticated(probe);
    int anonymous = newAnonymous.access().compareTo(oldAnonymous.access());
    int subject = newSubject.access().compareTo(oldSubject.access());
    List<String> details = new ArrayList<>();
    if (anonymous != 0) {
      details.add("without credentials  " + change(oldAnonymous, newAnonymous));
    }
    if (subject != 0) {
      details.add("authenticated  " + change(oldSubject, newSubject));
    }
    if (anonymous > 0 || subject > 0) {
      allowed(what, anonymous > 0 ? newAnonymous : newSubject, anonymous > 0, details);
    } else if (anonymous < 0 || subject < 0) {
      boolean open = anonymous < 0;
      AccessCheck.Decided old = open ? oldAnonymous : oldSubject;
      AccessCheck.Decided shown = open ? newAnonymous : newSubject;
      add(REFUSED, Finding.Severity.WARNING, what + " is newly refused",
          shown.probe().equals(old.probe()) ? shown : now.check().exactly(old.probe(), user(open)), details);
    } else if (!others(probe, what) && newSubject.access() == AccessCheck.Access.DEPENDS) {
      calls(newSubject, what);
    }
  }

  private static Optional<Subject> user(boolean anonymous) {
    return anonymous ? Optional.empty() : Optional.of(AccessCheck.SOMEBODY);
  }

  private void allowed(String what, AccessCheck.Decided decided, boolean anonymous, List<String> details) {
    boolean open = anonymous && decided.access() == AccessCheck.Access.ALLOWED;
    add(ALLOWED, open ? Finding.Severity.ERROR : Finding.Severity.WARNING, what + " is newly allowed", decided,
        details);
  }

  /**
   * Compares requests and users for which conditions and expressions of either rule may have another result; returns
   * whether one is decided otherwise, and reports the first of each direction.
   */
  private boolean others(Probe plain, String what) {
    Set<Probe> probes = new LinkedHashSet<>();
    Set<Subject> subjects = new LinkedHashSet<>();
    for (AnalyzedRules rules : List.of(before, now)) {
      AccessCheck.Decided decided = rules.check().exactly(plain, Optional.empty());
      Alternatives alternatives = rules.check().alternatives(decided);
      probes.addAll(alternatives.probes(plain, decided.route()));
      subjects.addAll(alternatives.subjects());
    }
    Set<Boolean> found = new LinkedHashSet<>();
    probes.forEach(probe -> {
      differs(probe, Optional.empty(), what, found);
      differs(probe, Optional.of(AccessCheck.SOMEBODY), what, found);
    });
    subjects.forEach(subject -> differs(plain, Optional.of(subject), what, found));
    return !found.isEmpty();
  }

  /** @param found whether more is allowed, for each direction that was reported */
  private void differs(Probe probe, Optional<Subject> subject, String what, Set<Boolean> found) {
    AccessCheck.Decided old = before.check().exactly(probe, subject);
    AccessCheck.Decided current = now.check().exactly(probe, subject);
    int difference = current.access().compareTo(old.access());
    if (difference == 0 || !found.add(difference > 0)) {
      return;
    }
    String user = subject.map(known -> "as " + text(known)).orElse("without credentials");
    List<String> details = List.of(user + "  " + change(old, current));
    if (difference > 0) {
      allowed(what, current, subject.isEmpty(), details);
    } else {
      add(REFUSED, Finding.Severity.WARNING, what + " is newly refused", current, details);
    }
  }

  /** Describes a user as test cases have it. */
  static String text(Subject subject) {
    return "{ ID: " + subject.id() + ", Attributes: " + JsonText.plain(subject.attributes()) + " }";
  }

  private static String change(AccessCheck.Decided old, AccessCheck.Decided now) {
    return text(old) + ", now " + text(now);
  }

  /** Describes how a request is decided, and by what. */
  static String text(AccessCheck.Decided decided) {
    String rule = decided.rule().map(r -> r.isDefault() ? "the default rule" : "rule `" + r.id() + "`")
        .orElse("no rule");
    String step = decided.step().map(report -> "`" + report.step().id() + "`").orElse("");
    return switch (decided.access()) {
      case ALLOWED -> "allowed by " + rule;
      case DEPENDS -> "decided by the service of step " + step + " of " + rule;
      case REFUSED -> decided.rule().isEmpty() ? "refused: no rule is for it"
          : "refused by " + (step.isEmpty() ? "" : "step " + step + " of ") + rule;
    };
  }

  /** Both depend on remote services: what these are sent counts. */
  private void calls(AccessCheck.Decided decided, String what) {
    List<String> old = before.check().calls(decided.probe());
    List<String> current = now.check().calls(decided.probe());
    if (!old.equals(current)) {
      List<String> details = new ArrayList<>();
      old.stream().filter(call -> !current.contains(call)).forEach(call -> details.add("before  " + call));
      current.stream().filter(call -> !old.contains(call)).forEach(call -> details.add("now  " + call));
      add(CHANGED, Finding.Severity.WARNING, what + ": remote services are called otherwise", decided, details);
    }
  }

  private void add(String kind, Finding.Severity severity, String message, AccessCheck.Decided decided,
      List<String> details) {
    String rule = decided.rule().map(Rule::id).orElse("");
    String at = decided.rule().map(r -> now.at(r, decided.step().map(report -> report.step().id()).orElse("")))
        .orElse("");
    out.add(new Finding(kind, severity, kind + "/" + decided.probe().text(), at, rule, message,
        decided.probe().text(), details));
  }
}
