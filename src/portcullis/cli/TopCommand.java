package portcullis.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Shows figures of a running service, again and again. */
final class TopCommand {
  static final String DOC = "Shows requests, decisions and latency of a running service, every two seconds.";

  private static final String COUNT = "--count";
  private static final Duration INTERVAL = Duration.ofSeconds(2);
  private static final int LARGEST = 4 << 20;
  private static final int ROWS = 20;
  private static final String CLEAR = "\u001b[H\u001b[J";

  static final List<Arguments.Option> OPTIONS = Stream.concat(Stream.of(
      new Arguments.Option(COUNT, "-n", "COUNT", "ends after so many times"), Flags.OUTPUT),
      ConsoleClient.OPTIONS.stream()).toList();

  private final Console console;

  TopCommand(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.UsageException {
    long count = TailCommand.count(arguments, COUNT);
    boolean clears = count > 1 && Terminal.wanted(System.getenv()) && Terminal.shown(Path.of("/proc/self/fd/1"));
    try {
      Optional<ConsoleClient> service = ConsoleClient.of(arguments, console);
      if (service.isEmpty()) {
        return 1;
      }
      try (ConsoleClient client = service.get()) {
        for (long i = 0; i < count && console.isRead(); i++) {
          if (i > 0) {
            Thread.sleep(INTERVAL);
          }
          String json = read(client);
          console.say(Flags.json(arguments) ? TerminalText.escaped(json, "\n")
              : (clears ? CLEAR : "") + screen(client.url(), json));
        }
        return 0;
      }
    } catch (KeyMaterialException | ManagementClient.UnavailableException e) {
      console.complain(e.getMessage());
      return 1;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static String read(ConsoleClient client)
      throws ManagementClient.UnavailableException, Arguments.UsageException {
    try (InputStream in = client.open("/now/data", "application/json")) {
      return new String(in.readNBytes(LARGEST), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ManagementClient.UnavailableException(client.url() + ": " + ManagementService.reason(e));
    }
  }

  private static String screen(String url, String json) throws ManagementClient.UnavailableException {
    try {
      if (!(Json.read(json) instanceof Value.Dict now)) {
        throw new ManagementClient.UnavailableException("the answer is not JSON");
      }
      StringBuilder out = new StringBuilder();
      line(out, "%s  %s", url, TailCommand.text(now, "time").replaceFirst("T", " ").replaceFirst("\\.\\d+Z", " UTC"));
      for (String counter : List.of("requests", "allowed", "denied", "errors")) {
        if (now.get(counter).orElse(Value.NULL) instanceof Value.Dict figures) {
          line(out, "%-10s %,10.1f/s %,14d since the start", counter, number(figures, "per_second"),
              (long) number(figures, "total"));
        }
      }
      line(out, "%-10s %10s   %14s", "latency", "median " + millis(now, "p50_ms"), "99 % " + millis(now, "p99_ms"));
      line(out, "%-10s %,10d", "active", (long) number(now, "active"));
      line(out, "");
      line(out, "%10s %14s %14s  %s", "per second", "allowed", "denied", "rule");
      if (now.get("rules").orElse(Value.NULL) instanceof Value.Array rules) {
        rules.items().stream().limit(ROWS).forEach(rule -> row(out, (Value.Dict) rule));
      }
      return out.toString().stripTrailing();
    } catch (ValueException _) {
      throw new ManagementClient.UnavailableException("the answer is not JSON");
    }
  }

  private static void row(StringBuilder out, Value.Dict rule) {
    String name = TailCommand.text(rule, "rule");
    line(out, "%,10.1f %,14d %,14d  %s", number(rule, "per_second"), (long) number(rule, "allowed"),
        (long) number(rule, "denied"), name.isEmpty() ? "(no rule)" : name);
  }

  private static void line(StringBuilder out, String form, Object... values) {
    out.append(TerminalText.escaped(String.format(Locale.ROOT, form, values).stripTrailing(), "")).append('\n');
  }

  private static double number(Value.Dict from, String name) {
    return switch (from.get(name).orElse(Value.NULL)) {
      case Value.Int whole -> whole.value();
      case Value.Float real -> real.value();
      default -> 0;
    };
  }

  private static String millis(Value.Dict from, String name) {
    return from.get(name).orElse(Value.NULL).equals(Value.NULL) ? "-"
        : String.format(Locale.ROOT, "%.1f ms", number(from, name));
  }
}
