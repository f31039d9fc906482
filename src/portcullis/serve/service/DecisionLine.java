package portcullis.serve.service;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.jwt.EncryptedText;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.JsonLine;
import portcullis.observe.decisions.KeyedHash;
import portcullis.observe.decisions.SecretNames;
import portcullis.observe.telemetry.RequestId;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.Redecision;
import portcullis.policy.rule.ConfigurationDigests;
import portcullis.policy.rule.Rule;

/**
 * A line of the decision log: the request, its decision and the steps that made it, without secrets. For one request.
 */
final class DecisionLine {
  private static final JsonLine.Name ID = JsonLine.Name.of("id");
  private static final JsonLine.Name TRACE = JsonLine.Name.of("trace");
  private static final JsonLine.Name DECISION = JsonLine.Name.of("decision");
  private static final JsonLine.Name STATUS = JsonLine.Name.of("status");
  private static final JsonLine.Name REQUEST = JsonLine.Name.of("request");
  private static final JsonLine.Name METHOD = JsonLine.Name.of("method");
  private static final JsonLine.Name SCHEME = JsonLine.Name.of("scheme");
  private static final JsonLine.Name HOST = JsonLine.Name.of("host");
  private static final JsonLine.Name PATH = JsonLine.Name.of("path");
  private static final JsonLine.Name CLIENT = JsonLine.Name.of("client");
  private static final JsonLine.Name STEPS = JsonLine.Name.of("steps");
  private static final JsonLine.Name HASHES = JsonLine.Name.of("hashes");
  private static final JsonLine.Name CREDENTIALS = JsonLine.Name.of("credentials");

  private final DecisionLog log;
  private final Transaction transaction;
  private final DecisionTrail trail;
  private final DecisionParts parts;
  private final JsonLine line;

  DecisionLine(DecisionLog log, Transaction transaction, DecisionTrail trail, DecisionParts parts) {
    this.log = log;
    this.transaction = transaction;
    this.trail = trail;
    this.parts = parts;
    this.line = log.line(transaction.start());
  }

  /** Writes it to the log. */
  void offer(boolean allowed) {
    ids();
    line.plain(DECISION, allowed ? "allowed" : "denied");
    if (allowed && log.settings().sampleAllowed() < 1) {
      line.number("sampled", Double.toString(log.settings().sampleAllowed()));
    }
    line.add(STATUS, transaction.reply().status());
    if (transaction.code().isPresent()) {
      line.add("grpc_status", transaction.code().get().name());
    }
    request();
    Optional<Rule> rule = transaction.decision().flatMap(Redecision::rule);
    if (rule.isPresent()) {
      line.members(parts.rule(rule.get()));
    }
    steps();
    error();
    upstream();
    if (log.hash().isPresent()) {
      hashes(log.hash().get());
    }
    if (log.sealKey().isPresent()) {
      sealed(log.sealKey().get());
    }
    log.offer(line);
  }

  private void ids() {
    Optional<RequestId> id = RequestId.current();
    if (id.isPresent()) {
      line.plain(ID, id.get().value());
      if (id.get().trace().isPresent()) {
        line.plain(TRACE, id.get().trace().get().server().traceId());
      }
    }
  }

  private void request() {
    line.object(REQUEST);
    if (trail.request().isPresent()) {
      Request request = trail.request().get();
      line.plain(METHOD, request.method()).plain(SCHEME, request.url().scheme())
          .plain(HOST, request.url().host().toString());
      path(request.path());
      headers(request.fields());
    } else if (transaction.arrival() instanceof ValidRequest incoming) {
      line.plain(METHOD, incoming.method()).plain(SCHEME, transaction.scheme())
          .plain(HOST, incoming.host().toString())
          .add("path", incoming.target() instanceof Target.Resource resource ? resource.path() : "*");
      headers(incoming.fields());
    }
    line.end();
    if (trail.request().isEmpty()) {
      line.add("rejected", true);
    }
    List<String> clients = trail.request().isPresent() ? trail.request().get().clients()
        : List.of(transaction.client());
    line.add(CLIENT, clients);
  }

  private void path(RequestPath path) {
    if (path.isPlain()) {
      line.plain(PATH, path.spelling());
    } else {
      line.add(PATH, path.spelling());
    }
  }

  private void headers(Fields fields) {
    List<String> names = log.settings().headers();
    if (names.isEmpty()) {
      return;
    }
    line.object("headers");
    for (String name : names) {
      fields.joined(name).ifPresent(value -> line.named(name, log.shown(name, Grammar.text(value))));
    }
    line.end();
  }

  private void steps() {
    line.list(STEPS);
    for (int i = 0; i < trail.size(); i++) {
      StepReport report = trail.step(i);
      line.item(parts.step(report.step(), report.outcome()), report.nanos());
      if (report.cached()) {
        line.add("cached", true);
      }
      if (report.failure().isPresent()) {
        line.add("error", Redecision.error(report.failure().get()));
      }
      line.end();
    }
    line.endList();
  }

  private void error() {
    if (transaction.decision().isPresent() && transaction.decision().get() instanceof Decision.Refuse refuse) {
      line.add("error", Redecision.error(refuse.stepFailure()));
    } else if (!transaction.error().isEmpty()) {
      line.add("error", transaction.errorKind());
    }
  }

  /** Adds the names of the fields that were sent, or those that a decision service has returned. */
  private void upstream() {
    if (transaction.decision().isPresent() && transaction.decision().get() instanceof Decision.Allow allow) {
      RequestAdditions additions = allow.state().additions();
      if (transaction.forwarded().isEmpty() && additions.headers().isEmpty() && additions.cookies().isEmpty()) {
        return;
      }
      Set<String> names = new LinkedHashSet<>();
      Set<String> cookies = new LinkedHashSet<>();
      transaction.forwarded().forEach(field -> names.add(field.name()));
      additions.headers().forEach(field -> names.add(field.name()));
      additions.cookies().forEach(cookie -> cookies.add(cookie.name()));
      line.object("upstream").add("headers", names).add("cookies", cookies).end();
    }
  }

  private void hashes(KeyedHash hash) {
    line.object(HASHES);
    if (trail.subject().isPresent()) {
      line.members(parts.subject(trail.subject().get(), hash));
    }
    if (trail.request().isPresent()) {
      credentials(trail.request().get().fields(), hash);
    }
    if (!trail.answers().answers().isEmpty()) {
      line.list("answers");
      trail.answers().answers().forEach(answer -> line.item().add("step", answer.step()).add("status", answer.status())
          .plain("body", hash.of(answer.body())).end());
      line.endList();
    }
    line.end();
  }

  private void sealed(SymmetricKey key) {
    if (trail.request().isPresent()) {
      line.add("sealed", EncryptedText.seal(
          SealedRequest.json(trail.request().get(), trail.subject(), trail.answers(), effect()), key));
      if (!SealedRequest.isComplete(trail.request().get(), trail.answers())) {
        line.add("sealed_incomplete", true);
      }
    }
  }

  private ConfigurationDigests.Effect effect() {
    return transaction.decision().flatMap(Redecision::rule).map(rule -> rule.origin().effect().now(parts.files()))
        .orElse(ConfigurationDigests.Effect.UNKNOWN);
  }

  private void credentials(Fields fields, KeyedHash hash) {
    Set<String> names = Set.of();
    for (Field field : fields) {
      if (SecretNames.has(field.name())) {
        names = names.isEmpty() ? new LinkedHashSet<>() : names;
        names.add(field.name().toLowerCase(Locale.ROOT));
      }
    }
    if (!names.isEmpty()) {
      line.object(CREDENTIALS);
      names.forEach(name -> line.named(name, hash.of(fields.joined(name).orElse(""))));
      line.end();
    }
  }
}
