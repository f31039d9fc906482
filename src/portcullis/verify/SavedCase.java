package portcullis.verify;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.serve.service.DryRun;

/**
 * Records a request that is decided with real remote services, and writes it down as a test case with stubs for the
 * calls that it made. One per request; its client is thread safe.
 */
public final class SavedCase implements Observer {
  private static final Pattern ITEM = Pattern.compile("(?m)^( *)- name:");
  private static final List<String> KEPT_FIELDS = List.of("content-type", "cache-control", "location");

  private final Observer next;
  private final List<Value> stubs = new ArrayList<>();
  /** Stubs for calls that failed and were not repeated with success, by what they are for. */
  private final SequencedMap<Value, Value> failed = new LinkedHashMap<>();
  private String step = "";

  public SavedCase(Observer next) {
    this.next = next;
  }

  /** Returns a client that records the calls of the other. */
  public HttpClient over(HttpClient client) {
    return new RecordingClient(client, this::called, this::failed);
  }

  private synchronized void called(RecordingClient.Recorded call) {
    SequencedMap<String, Value> stub = stub(call.method(), call.url());
    failed.remove(new Value.Dict(stub(call.method(), call.url())));
    stub.put("status", Value.of(call.status()));
    Map<String, Value> fields = new LinkedHashMap<>();
    call.fields().map().forEach((name, values) -> {
      if (KEPT_FIELDS.contains(name.toLowerCase(Locale.ROOT))) {
        fields.put(name, Value.of(values.getFirst()));
      }
    });
    if (!fields.isEmpty()) {
      stub.put("headers", new Value.Dict(fields));
    }
    stub.put("body", Value.of(new String(call.body(), StandardCharsets.UTF_8)));
    stubs.add(new Value.Dict(stub));
  }

  private synchronized void failed(RecordingClient.Failed call) {
    SequencedMap<String, Value> stub = stub(call.method(), call.url());
    stub.put("fail", Value.of(call.failure().name().toLowerCase(Locale.ROOT)));
    failed.put(new Value.Dict(stub(call.method(), call.url())), new Value.Dict(stub));
  }

  private SequencedMap<String, Value> stub(String method, String url) {
    SequencedMap<String, Value> stub = new LinkedHashMap<>();
    if (!step.isEmpty()) {
      stub.put("step", Value.of(step));
    }
    stub.put("method", Value.of(method));
    stub.put("url", Value.of(url));
    return stub;
  }

  @Override
  public void ruled(String source, String rule, String route) {
    next.ruled(source, rule, route);
  }

  @Override
  public void begun(Step<?> begun) {
    synchronized (this) {
      step = begun.id();
    }
    next.begun(begun);
  }

  @Override
  public void ended(StepReport report) {
    next.ended(report);
    synchronized (this) {
      step = "";
    }
  }

  /**
   * Writes the case to a file that only its owner may read, as requests hold credentials. If the file exists, the case
   * is added at its end.
   *
   * @param config named in a new file
   */
  public void write(Path file, Path config, DryRun.Draft request, DryRun.Outcome outcome, List<StepReport> steps,
      Instant now, Problems problems) {
    try {
      boolean exists = Files.exists(file);
      String before = exists ? Files.readString(file)
          : "# Run by `portcullis test`; remove what should not be compared.\nconfig: "
              + JsonText.plain(Value.of(relative(file, config))) + "\ncases:\n";
      String indent = "  ";
      for (Matcher items = ITEM.matcher(before); items.find();) {
        indent = items.group(1);
      }
      String text = before + (before.endsWith("\n") ? "" : "\n") + indent + "- "
          + text(request, outcome, steps, now).replace("\n", "\n" + indent + "  ").stripTrailing() + "\n";
      Problems wrong = new Problems();
      Optional<TestFile> known = exists ? TestFile.read(file, new SourceFile(file.toString(), before), wrong)
          : Optional.empty();
      Optional<TestFile> read = TestFile.read(file, new SourceFile(file.toString(), text), wrong);
      if (wrong.hasErrors() || read.isEmpty()
          || exists && known.map(f -> f.cases().size()).orElse(0) >= read.get().cases().size()) {
        problems.error(Origin.BUILT_IN, "", "cannot add a test case to `" + file + "`: it does not end with `cases`",
            "name a new file whose name ends with `_test.yaml`");
        return;
      }
      if (!exists) {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
      Files.writeString(file, text, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      problems.error(Origin.BUILT_IN, "", "cannot write `" + file + "`: " + FileFailure.reason(e), "");
    }
  }

  private static String relative(Path file, Path config) {
    Path folder = file.toAbsolutePath().normalize().getParent();
    return folder.relativize(config.toAbsolutePath().normalize()).toString();
  }

  private synchronized String text(DryRun.Draft request, DryRun.Outcome outcome, List<StepReport> steps, Instant now) {
    SequencedMap<String, Value> expect = new LinkedHashMap<>();
    expect.put("rule", Value.of(CaseCheck.ruleName(outcome)));
    expect.put("decision", Value.of(outcome.allowed() ? "allow" : "refuse"));
    expect.put("status", Value.of(outcome.answer().status()));
    if (outcome.decision().orElse(null) instanceof Decision.Allow allow && !allow.subject().isEmpty()) {
      expect.put("subject", Value.of(allow.subject()));
    }
    Map<String, Value> outcomes = new LinkedHashMap<>();
    steps.stream().filter(report -> report.outcome() != StepReport.Outcome.BROKEN)
        .forEach(report -> outcomes.put(report.step().id(), Value.of(report.outcome().text())));
    if (!outcomes.isEmpty()) {
      expect.put("steps", new Value.Dict(outcomes));
    }
    outcome.answer().fields().first("Location")
        .ifPresent(to -> expect.put("answer", Value.dict("headers", Value.dict("Location", Value.of(to)))));
    outcome.upstream().ifPresent(upstream -> expect.put("upstream", new Value.Dict(
        Map.of("method", Value.of(upstream.method()), "url", Value.of(upstream.url())))));
    StringBuilder out = new StringBuilder("name: ").append(JsonText.plain(Value.of(request.method() + " "
        + request.url().replaceFirst("[?#].*", "") + (outcome.allowed() ? " is allowed" : " is refused"))));
    out.append("\nnow: ").append(now).append("\nrequest: ").append(JsonText.plain(request(request)));
    List<Value> all = new ArrayList<>(stubs);
    all.addAll(failed.values());
    if (!all.isEmpty()) {
      out.append("\nstubs:");
      all.forEach(stub -> out.append("\n  - ").append(JsonText.plain(stub)));
    }
    out.append("\nexpect:");
    expect.forEach((key, value) -> out.append("\n  ").append(key).append(": ").append(JsonText.plain(value)));
    return out.toString();
  }

  private static Value request(DryRun.Draft request) {
    SequencedMap<String, Value> out = new LinkedHashMap<>();
    out.put("method", Value.of(request.method()));
    out.put("url", Value.of(request.url()));
    Fields fields = request.fields();
    SequencedMap<String, List<Value>> values = new LinkedHashMap<>();
    for (Field field : fields) {
      values.computeIfAbsent(field.name(), _ -> new ArrayList<>()).add(Value.of(field.value()));
    }
    if (!values.isEmpty()) {
      Map<String, Value> headers = new LinkedHashMap<>();
      values.forEach((name, all) -> headers.put(name, all.size() == 1 ? all.getFirst() : new Value.Array(all)));
      out.put("headers", new Value.Dict(headers));
    }
    if (request.body().length > 0) {
      out.put("body", Value.of(new String(request.body(), StandardCharsets.UTF_8)));
    }
    out.put("client", Value.of(request.peer().getHostAddress()));
    return new Value.Dict(out);
  }
}
