package portcullis.serve.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.Query;
import portcullis.http.message.RejectedRequest;
import portcullis.http.message.Response;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.lang.value.Digits;
import portcullis.observe.profiling.Kind;
import portcullis.observe.profiling.Profiler;
import portcullis.observe.telemetry.Log;

/** Serves profiles at the paths that Go's tools use. Thread safe. */
final class ProfilingEndpoint implements Layer.Handler, AutoCloseable {
  private static final String BASE = "/debug/pprof";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Duration LONGEST = Duration.ofMinutes(5);
  private static final int MOST_BODY = 1 << 20;

  private final Profiler profiler;
  private final List<String> command;
  private final List<String> hosts;
  private final Log log;

  /**
   * @param command the command line of the program
   * @param hosts host names of accepted requests, besides IP addresses and {@code localhost}
   */
  ProfilingEndpoint(Profiler profiler, List<String> command, List<String> hosts, Log log) {
    this.profiler = profiler;
    this.command = List.copyOf(command);
    this.hosts = List.copyOf(hosts);
    this.log = log;
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    Response answer = switch (transaction.arrival()) {
      case RejectedRequest refused -> Response.of(refused.status()).with("Connection", "close");
      case ValidRequest incoming when !LocalAccess.isAllowed(incoming, hosts) ->
        plain(403,
            "requests of pages of other origins, or under a host name that is "
                + "not listed in management.status_hosts, are refused");
      case ValidRequest incoming when incoming.target() instanceof Target.Resource resource ->
        answer(incoming, resource);
      case ValidRequest _ -> notFound();
    };
    transaction.answer(answer.with("X-Content-Type-Options", "nosniff"));
  }

  private static Response notFound() {
    return Response.of(404, TEXT, "404 page not found\n");
  }

  private static Response plain(int status, String text) {
    return Response.of(status, TEXT, text + "\n");
  }

  private Response answer(ValidRequest incoming, Target.Resource resource) throws IOException {
    if (resource.path().equals(BASE)) {
      return Response.of(301).with("Location", BASE + "/");
    }
    if (!resource.path().startsWith(BASE + "/")) {
      return notFound();
    }
    String name = resource.path().substring(BASE.length() + 1);
    boolean posted = incoming.method().equals("POST") && name.equals("symbol");
    if (!incoming.method().equals("GET") && !incoming.method().equals("HEAD") && !posted) {
      return plain(405, "only GET is served").with("Allow", "GET, HEAD");
    }
    Map<String, List<String>> parameters = Query.parameters(resource.query());
    return switch (name) {
      case "" -> Response.of(200, "text/html; charset=utf-8", index());
      case "cmdline" -> Response.of(200, TEXT, String.join("\0", command));
      case "symbol" ->
        symbols(posted ? new String(incoming.content().stream().readNBytes(MOST_BODY), StandardCharsets.UTF_8)
            : resource.query());
      default -> recorded(name, parameters);
    };
  }

  private static String index() {
    StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html "
        + "lang=\"en\">\n<title>/debug/pprof/</title>\n<h1>/debug/pprof/</h1>\n<dl>\n");
    for (Kind kind : Kind.values()) {
      out.append("<dt><a href=\"").append(kind.text()).append(kind == Kind.PROFILE ? "" : "?debug=1").append("\">")
          .append(kind.text())
          .append("</a>\n<dd>").append(kind.meaning()).append('\n');
    }
    return out.append("<dt><a href=\"cmdline\">cmdline</a>\n<dd>The command line of the program\n<dt>symbol\n<dd>The "
        + "functions of"
        + " program counters\n<dt><a href=\"trace?seconds=5\">trace</a>\n<dd>A recording of JDK Flight "
        + "Recorder\n</dl>\n").toString();
  }

  /** Looks up program counters, as {@code 0x1000+0x2000}; the response to none says that symbols exist. */
  private Response symbols(String names) {
    StringBuilder out = new StringBuilder("num_symbols: 1\n");
    for (String part : names.split("[+ ]")) {
      boolean hex = part.startsWith("0x") && part.length() > 2 && part.length() <= 17
          && part.chars().skip(2).allMatch(c -> Character.digit(c, 16) >= 0);
      String name = hex ? profiler.symbol(Long.parseLong(part, 2, part.length(), 16)) : "";
      if (!name.isEmpty()) {
        out.append(part).append(' ').append(name).append('\n');
      }
    }
    return Response.of(200, TEXT, out.toString());
  }

  private Response recorded(String name, Map<String, List<String>> parameters) {
    Optional<Kind> kind = Kind.of(name);
    boolean trace = name.equals("trace");
    if (kind.isEmpty() && !trace) {
      return plain(404, "Unknown profile");
    }
    Optional<String> seconds = parameters.getOrDefault("seconds", List.of()).stream().findFirst();
    Optional<Duration> time = seconds.flatMap(ProfilingEndpoint::seconds);
    if (seconds.isPresent() && time.isEmpty()) {
      return plain(400, "seconds is not a number from 1 to " + LONGEST.toSeconds());
    }
    try {
      Optional<Response> answer = trace
          ? profiler.trace(time.orElse(Duration.ofSeconds(1)))
              .map(bytes -> file("trace.jfr", "application/x-jfr", bytes))
          : profile(kind.get(), time, parameters);
      return answer
          .orElseGet(() -> plain(503, "another recording is in progress; only one is made at a time")
              .with("Retry-After", "5"));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return plain(503, "interrupted");
    } catch (IOException e) {
      log.error("Failed to make a profile", "_kind", name, "_error", String.valueOf(e.getMessage()));
      return plain(500, "failed to make the profile");
    }
  }

  private Optional<Response> profile(Kind kind, Optional<Duration> time, Map<String, List<String>> parameters)
      throws IOException, InterruptedException {
    if (kind == Kind.HEAP && isOn(parameters, "gc")) {
      System.gc();
    }
    Optional<Profiler.Output> output = profiler.make(kind, time);
    if (output.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(isOn(parameters, "debug") ? Response.of(200, TEXT, output.get().text())
        : file(kind.text(), "application/octet-stream", output.get().proto()));
  }

  private static boolean isOn(Map<String, List<String>> parameters, String name) {
    return parameters.getOrDefault(name, List.of()).stream().anyMatch(value -> !value.equals("0") && !value.isEmpty());
  }

  private static Response file(String name, String type, byte[] bytes) {
    return new Response(200,
        Fields.of("Content-Type", type, "Content-Disposition", "attachment; filename=\"" + name + "\""), bytes);
  }

  /** Parses whole seconds within the accepted range. */
  private static Optional<Duration> seconds(String text) {
    boolean digits = Digits.are(text, 6);
    long seconds = digits ? Long.parseLong(text) : 0;
    return seconds >= 1 && seconds <= LONGEST.toSeconds() ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
  }

  @Override
  public void close() {
    profiler.close();
  }
}
