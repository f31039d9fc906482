package portcullis.cli;

import java.io.OutputStream;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import portcullis.config.Enforcement;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.Refusal;
import portcullis.http.message.Request;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.StepSummary;
import portcullis.serve.runtime.Program;
import portcullis.serve.runtime.Settings;

/** Judges one request as the service would, remote parties included, and tells how it came to the verdict. */
final class Explain {
  static final String DOC = "Tells how one request is judged, step by step; remote parties are really asked.";

  static final String OPERANDS = "[[METHOD] URL]";

  private static final String REQUEST = "--request";
  private static final String EXAMPLE = "https://app.example/orders/42?page=2";

  static final List<Arguments.Option> OPTIONS = Flags.with(Flags.OUTPUT, new Arguments.Option(REQUEST, "-r", "FILE",
      "YAML: method (GET), url (a whole one), headers (name: text or list), body (text, else JSON), client "
          + "(addresses)"));

  private final Console console;

  Explain(Console console) {
    this.console = console;
  }

  /** Succeeds where there is a verdict, whatever it is. */
  int run(Arguments arguments) throws Arguments.WrongUse {
    Optional<String> file = arguments.value(REQUEST);
    if (file.isPresent() != arguments.rest().isEmpty()) {
      throw new Arguments.WrongUse("name one request, as `GET " + EXAMPLE + "` or by `" + REQUEST + " FILE`");
    }
    if (arguments.value(Flags.CONFIG).isEmpty()) {
      throw new Arguments.WrongUse("no config file provided: name one by `-c FILE`");
    }
    Problems problems = new Problems();
    Enforcement enforcement = Flags.enforcement(arguments);
    Optional<Request> request = file.isEmpty() ? Optional.of(named(arguments.rest()))
        : RequestFile.read(file.get(), problems);
    Optional<Settings> settings = Flags.configuration(arguments).settings(problems);
    Optional<Explanation> explanation = request.isEmpty() || settings.isEmpty() ? Optional.empty()
        : explained(request.get(), settings.get(), enforcement, problems);
    console.show(problems);
    explanation.ifPresent(e -> console.say(Flags.json(arguments) ? e.json() : e.text()));
    return explanation.isPresent() ? 0 : 1;
  }

  /** The request with that method, GET unless it is said, and that URL, and no fields. */
  private static Request named(List<String> words) throws Arguments.WrongUse {
    if (words.size() > 2) {
      throw new Arguments.WrongUse(
          "`" + words.get(2) + "` is not expected here: fields and bodies are read from a `" + REQUEST + " FILE`");
    }
    String method = words.size() == 2 ? words.getFirst() : "GET";
    if (!Grammar.isToken(method)) {
      throw new Arguments.WrongUse("`" + method + "` is no method, as `GET` is one");
    }
    String why = "";
    try {
      Optional<Request> request = EvaluationContext.request(method, words.getLast(), Fields.NONE, List.of("127.0.0.1"),
          Body.none());
      if (request.isPresent()) {
        return request.get();
      }
    } catch (Refusal e) {
      why = " (" + e.getMessage() + ")";
    }
    throw new Arguments.WrongUse("that is no URL of a request" + why + ", as `" + EXAMPLE + "` is one");
  }

  private static Optional<Explanation> explained(Request request, Settings settings, Enforcement enforcement,
      Problems problems) {
    InstantSource clock = InstantSource.system();
    try (LogWriter nowhere = new LogWriter(OutputStream.nullOutputStream());
        WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
        ClientPool clients = ClientPool.of(() -> client)) {
      Log silent = new Log(Level.DISABLED, LogFormat.TEXT, nowhere, clock, "");
      Program program = Program.make(settings, enforcement, false, silent, clock,
          (cache, keys) -> new EndpointClient(clients, cache, keys, clock, CallLimits.DEFAULT), problems);
      try {
        if (!problems.hasErrors()) {
          program.load(problems);
        }
        if (problems.hasErrors()) {
          return Optional.empty();
        }
        Decider decider = new Decider(program.reloader()::snapshot, silent);
        return Optional.of(explained(request, decider, new ErrorResponses(settings.main().respond(), silent)));
      } finally {
        program.close();
      }
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("no TLS on this machine", e);
    }
  }

  private static Explanation explained(Request request, Decider decider, ErrorResponses errors) {
    StepSummary summary = new StepSummary(Observer.NONE);
    Explanation.Verdict verdict;
    try {
      verdict = switch (decider.decide(request, summary)) {
        case Decision.Allow allow -> Explanation.Verdict.of(allow);
        case Decision.Refuse refuse -> Explanation.Verdict.of(refuse,
            errors.of(refuse, request.fields()).status());
      };
    } catch (Refusal refusal) {
      verdict = new Explanation.Verdict(Optional.empty(), refusal.status(), refusal.getMessage());
    }
    return new Explanation(request, decider.match(request), summary.reports(), verdict, Mask.of(request));
  }
}
