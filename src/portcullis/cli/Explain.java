package portcullis.cli;

import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;
import portcullis.config.Enforcement;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Grammar;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.pipeline.StepSummary;
import portcullis.serve.explain.Explanation;
import portcullis.serve.explain.NearMisses;
import portcullis.serve.explain.SecretMask;
import portcullis.serve.runtime.Program;
import portcullis.serve.runtime.Settings;
import portcullis.serve.service.DryRun;
import portcullis.serve.service.ListenerSettings;
import portcullis.verify.RulePositions;
import portcullis.verify.SavedCase;
import portcullis.verify.TestRequest;

/** Decides one request as the service would, remote services included, and shows how. */
final class Explain {
  static final String DOC = "Shows how one request is decided, step by step; remote services are called.";

  static final String OPERANDS = "[[METHOD] URL]";

  private static final String REQUEST = "--request";
  private static final String EXPECT = "--expect";
  private static final String SAVE = "--save";
  private static final Set<String> COUNTING = Set.of("rate_limit", "basic_auth", "api_key");
  private static final String EXAMPLE = "https://app.example/orders/42?page=2";

  /** Options that curl has too, with the letters that curl knows them by. */
  private static final Map<String, String> OF_CURL = Map.of("--method", "-X", "--header", "-H", "--cookie", "-b",
      "--user", "-u", "--data", "-d");

  static final List<Arguments.Option> OPTIONS = Flags.with(Flags.OUTPUT,
      new Arguments.Option("--header", "-H", "FIELD", "header field like 'Accept: text/html'; may be repeated")
          .repeated(),
      new Arguments.Option("--cookie", "-b", "COOKIES", "cookies like 'sid=abc'; may be repeated").repeated(),
      new Arguments.Option("--user", "-u", "USER:PASSWORD", "credentials for basic authentication"),
      new Arguments.Option("--data", "-d", "BODY", "body of the request, whose method is then POST by default; "
          + "several are joined by `&`").repeated(),
      new Arguments.Option("--method", "-X", "METHOD", "method of the request"),
      new Arguments.Option(REQUEST, "-r", "FILE", "request in YAML: method (GET), url (absolute), headers (name: "
          + "string or list), body (string, else JSON), client (address)"),
      new Arguments.Option(EXPECT, "", "RESULT", "fails unless the result is this: allow, deny or a status like 403"),
      new Arguments.Option(SAVE, "", "FILE", "writes or extends a test file for `portcullis test`"));

  private final Console console;

  Explain(Console console) {
    this.console = console;
  }

  /** Succeeds if there is a decision, and it is the expected one if there is an expectation. */
  int run(Arguments arguments) throws Arguments.UsageException {
    Optional<String> file = arguments.value(REQUEST);
    if (file.isPresent() != arguments.rest().isEmpty()) {
      throw new Arguments.UsageException("name one request, as `GET " + EXAMPLE + "` or by `" + REQUEST + " FILE`");
    }
    if (arguments.value(Flags.CONFIG).isEmpty()) {
      throw new Arguments.UsageException("no configuration file given: name one by `-c FILE`");
    }
    Optional<String> expected = expected(arguments);
    Problems problems = new Problems();
    Optional<DryRun.Draft> request = file.isEmpty() ? Optional.of(named(arguments))
        : TextFile.read("request file", file.get(), problems).flatMap(text -> TestRequest.read(text, problems));
    Optional<Settings> settings = Flags.configuration(arguments).settings(problems);
    Optional<Explanation> explanation = request.isEmpty() || settings.isEmpty() ? Optional.empty()
        : explained(request.get(), settings.get(), arguments, problems);
    console.show(problems);
    explanation.ifPresent(e -> console.say(Flags.json(arguments) ? e.json() : e.text() + note(e, settings.get())));
    if (explanation.isEmpty() || problems.hasErrors()) {
      return 1;
    }
    if (expected.isPresent() && !explanation.get().is(expected.get())) {
      console.complain("expected " + expected.get() + ", but the request is " + explanation.get().result());
      return 1;
    }
    return 0;
  }

  /** Returns what only a running service knows, where that may refuse the request. */
  private static String note(Explanation explanation, Settings settings) {
    boolean locks = settings.management().get(ListenerSettings.LOCKS).keyFile().isPresent();
    boolean counts = explanation.steps().stream().filter(step -> step.outcome() == StepReport.Outcome.PASSED)
        .anyMatch(step -> COUNTING.contains(step.step().type()));
    return !explanation.outcome().allowed() || !locks && !counts ? ""
        : "\nnote      a running service may refuse it: "
            + (locks ? "`portcullis locks` lists locks" + (counts ? "; " : "") : "")
            + (counts ? "it counts rates and failed attempts where they are limited" : "");
  }

  private static Optional<String> expected(Arguments arguments) throws Arguments.UsageException {
    Optional<String> value = arguments.value(EXPECT);
    if (value.isPresent() && !value.get().matches("allow|deny|[1-5][0-9]{2}")) {
      throw new Arguments.UsageException(
          "`" + EXPECT + "` is allow, deny or a status like 403, not `" + value.get() + "`");
    }
    return value;
  }

  /** Returns the request of the words and options that curl has too. */
  private static DryRun.Draft named(Arguments arguments) throws Arguments.UsageException {
    List<String> words = new ArrayList<>(arguments.rest());
    if (words.size() > 2) {
      throw new Arguments.UsageException(
          "`" + words.get(2) + "` is not expected here: header fields are given by `-H`, "
              + "bodies by `-d`, or both in a `" + REQUEST + " FILE`");
    }
    if (words.size() == 2 && !Grammar.isToken(words.getFirst())) {
      throw new Arguments.UsageException("`" + words.getFirst() + "` is not a method, like `GET`");
    }
    if (!words.getLast().startsWith("http://") && !words.getLast().startsWith("https://")) {
      throw new Arguments.UsageException("`" + words.getLast() + "` is not an absolute URL, like `" + EXAMPLE + "`");
    }
    OF_CURL.forEach((name, letter) -> arguments.values(name).forEach(value -> words.addAll(List.of(letter, value))));
    try {
      return TestRequest.curl(words);
    } catch (IllegalArgumentException e) {
      throw new Arguments.UsageException(e.getMessage());
    }
  }

  private static Optional<Explanation> explained(DryRun.Draft request, Settings settings, Arguments arguments,
      Problems problems) {
    InstantSource clock = InstantSource.system();
    StepSummary summary = new StepSummary(Observer.NONE);
    SavedCase recorded = new SavedCase(summary);
    Enforcement enforcement = Flags.enforcement(arguments);
    try (LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream());
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
        ClientPool clients = new ClientPool(() -> over(recorded, client, arguments),
            other -> over(recorded, other, arguments), clock)) {
      Log silent = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, clock, "");
      Program program = Program.unlimited(settings, enforcement, silent, clock,
          (cache, keys) -> new EndpointClient(clients, cache, keys, clock, CallLimits.DEFAULT), () -> false, problems);
      try {
        if (!problems.hasErrors()) {
          program.load(problems);
        }
        if (problems.hasErrors()) {
          return Optional.empty();
        }
        Instant now = clock.instant();
        Decider decider = new Decider(program.reloader()::snapshot, silent);
        DryRun.Outcome outcome = new DryRun(settings.main(), new ErrorResponses(settings.main().respond(), silent))
            .of(request, decider, recorded);
        if (arguments.value(SAVE).isPresent()) {
          recorded.write(Path.of(arguments.value(SAVE).get()), Path.of(arguments.value(Flags.CONFIG).orElseThrow()),
              request, outcome, summary.reports(), now, problems);
        }
        return Optional.of(new Explanation(request, outcome, outcome.request().flatMap(decider::match),
            outcome.request().map(seen -> new NearMisses(program.reloader().snapshot().index(), seen).found())
                .orElse(List.of()),
            summary.reports(), rule -> new RulePositions().of(rule).orElse(rule.source()), SecretMask.of(request)));
      } finally {
        program.close();
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no TLS on this machine", e);
    }
  }

  private static HttpClient over(SavedCase recorded, HttpClient client, Arguments arguments) {
    return arguments.has(SAVE) ? recorded.over(client) : client;
  }
}
