package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.Problems;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.route.PathPattern;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/**
 * Finds requests that are decided against an intent. Tried are one request for each route and method that it is about,
 * and one for each of its own paths on all hosts; each without credentials, for a user without attributes and for users
 * of the declared roles, as far as the intent is about these.
 */
final class IntentCheck {
  static final String VIOLATED = "violated-intent";
  static final String UNUSED = "unused-intent";

  private static final List<String> USUAL = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private final AnalyzedRules rules;
  private final Intents intents;
  private final List<Finding> out = new ArrayList<>();

  private IntentCheck(AnalyzedRules rules, Intents intents) {
    this.rules = rules;
    this.intents = intents;
  }

  static List<Finding> of(AnalyzedRules rules, Intents intents) {
    IntentCheck check = new IntentCheck(rules, intents);
    intents.intents().forEach(check::check);
    return check.out;
  }

  /** A user for whom a request is tried. */
  private record User(String name, Subject subject, Set<String> excluded) {}

  private void check(Intent intent) {
    Set<Probe> probes = probes(intent);
    boolean used = false;
    Set<String> seen = new LinkedHashSet<>();
    for (Probe probe : probes) {
      used |= rules.check().anonymous(probe).rule().filter(rule -> !rule.isDefault()).isPresent();
      check(intent, probe).filter(finding -> seen.add(finding.id())).ifPresent(out::add);
    }
    if (!used) {
      out.add(new Finding(UNUSED, Finding.Severity.NOTE, UNUSED + "/" + intent.id(), AnalyzedRules.shown(intent.at()),
          "", "intent `" + intent.id() + "`: no rule is for the requests that it is about", "", List.of()));
    }
  }

  /** Returns the violation, or else a note of what it depends on. */
  private Optional<Finding> check(Intent intent, Probe probe) {
    Optional<Finding> note = Optional.empty();
    if (intent.claim() != Intent.Claim.NEVER_ROLE) {
      AccessCheck.Decided decided = rules.check().anonymous(probe);
      if (decided.access() == AccessCheck.Access.ALLOWED) {
        return Optional.of(violated(intent, decided, "subject  " + PublicAccess.subject(decided)));
      }
      note = undecided(intent, decided, "without credentials");
    }
    for (User user : users(intent)) {
      AccessCheck.Decided decided = rules.check().authenticated(probe, user.subject, user.excluded);
      if (decided.access() == AccessCheck.Access.ALLOWED) {
        return Optional.of(violated(intent, decided, "subject  " + user.name + ": "
            + Differences.text(user.subject)));
      }
      note = note.or(() -> undecided(intent, decided, "for " + user.name));
    }
    return note;
  }

  private List<User> users(Intent intent) {
    List<User> users = new ArrayList<>();
    if (intent.claim() == Intent.Claim.NEVER_PUBLIC) {
      return users;
    }
    Optional<Intents.Role> role = Optional.ofNullable(intents.roles().get(intent.role()));
    if (intent.claim() == Intent.Claim.NEVER_ROLE) {
      return List.of(new User("a user with the role `" + intent.role() + "`", role.orElseThrow().subject(), Set.of()));
    }
    Set<String> excluded = role.map(Intents.Role::authenticators).orElse(Set.of());
    users.add(new User("a user without attributes", AccessCheck.SOMEBODY, excluded));
    intents.roles().forEach((name, other) -> {
      if (!name.equals(intent.role())) {
        users.add(new User("a user with the role `" + name + "`", other.subject(), excluded));
      }
    });
    return users;
  }

  private Finding violated(Intent intent, AccessCheck.Decided decided, String subject) {
    Probe probe = decided.probe();
    String rule = decided.rule().map(Rule::id).orElse("");
    return new Finding(VIOLATED, Finding.Severity.ERROR, id(VIOLATED, intent, decided),
        decided.rule().map(r -> rules.at(r, "")).orElse(""), rule,
        "intent `" + intent.id() + "`: " + probe.method() + " " + place(probe) + " " + intent.violated(), probe.text(),
        List.of("intent   `" + intent.id() + "` at " + AnalyzedRules.shown(intent.at()), subject));
  }

  private Optional<Finding> undecided(Intent intent, AccessCheck.Decided decided, String user) {
    if (decided.access() != AccessCheck.Access.DEPENDS) {
      return Optional.empty();
    }
    Probe probe = decided.probe();
    String step = decided.step().map(report -> " of step `" + report.step().id() + "`").orElse("");
    return Optional.of(new Finding(PublicAccess.UNDECIDED, Finding.Severity.NOTE,
        id(PublicAccess.UNDECIDED, intent, decided), decided.rule().map(r -> rules.at(r, "")).orElse(""),
        decided.rule().map(Rule::id).orElse(""), "intent `" + intent.id() + "`: " + probe.method() + " " + place(probe)
            + " is decided by the service" + step + " " + user,
        probe.text(), List.of()));
  }

  private static String id(String kind, Intent intent, AccessCheck.Decided decided) {
    return kind + "/" + intent.id() + "/" + decided.rule().map(Rule::id).orElse("") + "/" + decided.probe().method()
        + " " + place(decided.probe());
  }

  /** Returns the URL without its scheme. */
  private static String place(Probe probe) {
    return probe.url().substring(probe.url().indexOf("//") + 2);
  }

  private Set<Probe> probes(Intent intent) {
    Set<Probe> out = new LinkedHashSet<>();
    Set<String> origins = new LinkedHashSet<>();
    for (RouteSample<Rule> sample : rules.samples()) {
      List<String> methods = intent.methods().isEmpty() ? sample.methods()
          : sample.isAnyMethod() ? intent.methods()
              : intent.methods().stream().filter(sample.methods()::contains)
                  .toList();
      Set<String> own = origins(intent, sample.scheme(), sample.host());
      origins.addAll(own);
      for (List<String> path : paths(intent, sample)) {
        add(own, methods, path, out);
      }
    }
    origins.addAll(origins(intent, "https", "app.example"));
    for (PathPattern path : intent.paths()) {
      add(origins, intent.methods().isEmpty() ? USUAL : intent.methods(), path.common(path, List.of()).orElseThrow(),
          out);
    }
    if (intent.paths().isEmpty()) {
      rules.unmatched().ifPresent(probe -> (intent.methods().isEmpty() ? USUAL : intent.methods())
          .forEach(method -> out.add(Probe.of(method, probe.url()))));
    }
    return out;
  }

  private static Set<String> origins(Intent intent, String scheme, String host) {
    Set<String> out = new LinkedHashSet<>();
    if (intent.isForHost(host)) {
      out.add(scheme + "://" + host);
    }
    intent.hosts().forEach(pattern -> out.add(scheme + "://" + pattern.replace("*", "any")));
    return out;
  }

  private static List<List<String>> paths(Intent intent, RouteSample<Rule> sample) {
    if (intent.paths().isEmpty()) {
      return List.of(sample.segments());
    }
    PathPattern route = PathPattern.compile(sample.route(), new Problems()).orElseThrow();
    return intent.paths().stream().flatMap(path -> route.common(path, sample.segments()).stream()).toList();
  }

  private static void add(Set<String> origins, List<String> methods, List<String> path, Set<Probe> to) {
    for (String origin : origins) {
      for (String method : methods) {
        to.add(Probe.of(method, origin + "/" + String.join("/", path)));
      }
    }
  }
}
