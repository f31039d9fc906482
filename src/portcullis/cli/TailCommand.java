package portcullis.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.TerminalText;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Shows decisions of a running service as they are made. */
final class TailCommand {
  static final String DOC = "Shows decisions of a running service as they are made.";

  private static final String DENIED = "--denied";
  private static final String RULE = "--rule";
  private static final String SUBJECT = "--subject";
  private static final String PATH = "--path";
  private static final String COUNT = "--count";
  private static final int RECENT = 10;
  private static final int LONGEST_LINE = 1 << 20;
  /** Between two requests for the stream, so that no service is flooded. */
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final int MOST_BRIEF = 5;
  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT)
      .withZone(ZoneOffset.UTC);

  static final List<Arguments.Option> OPTIONS = Stream.concat(Stream.of(
      new Arguments.Option(DENIED, "", "", "only what is denied, the last " + RECENT + " of before first"),
      new Arguments.Option(RULE, "", "ID",
          "only what this rule decides, or a rule of this rule set, as file_system:/etc/portcullis/rules.yaml"),
      new Arguments.Option(SUBJECT, "", "ID", "only requests of this subject"),
      new Arguments.Option(PATH, "", "TEXT", "only requests whose method, host and path contain this"),
      new Arguments.Option(COUNT, "-n", "COUNT", "ends after so many decisions"),
      Flags.OUTPUT), ConsoleClient.OPTIONS.stream()).toList();

  private final Console console;
  private long left;
  private int brief;
  private long last;
  private long lastBefore;

  TailCommand(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.UsageException {
    left = count(arguments, COUNT);
    try {
      Optional<ConsoleClient> service = ConsoleClient.of(arguments, console);
      if (service.isEmpty()) {
        return 1;
      }
      try (ConsoleClient client = service.get()) {
        String query = query(arguments);
        boolean isJson = Flags.json(arguments);
        long begin = System.nanoTime();
        follow(client, query + (arguments.on(DENIED) ? "&recent=" + RECENT : ""), isJson);
        while (left > 0) {
          pause(client, begin);
          begin = System.nanoTime();
          follow(client, query + (last > 0 ? "&after=" + last : ""), isJson);
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

  /** Waits until it may ask again; a stream that ends at once, again and again, is none. */
  private void pause(ConsoleClient client, long begin)
      throws ManagementClient.UnavailableException, InterruptedException {
    long rest = PAUSE.toNanos() - (System.nanoTime() - begin);
    brief = rest > 0 && last == lastBefore ? brief + 1 : 0;
    lastBefore = last;
    if (brief == MOST_BRIEF) {
      throw new ManagementClient.UnavailableException(client.url() + " ends the stream of decisions at once, again and "
          + "again: if there is a proxy in front of it, it has to pass on responses as they come");
    }
    TimeUnit.NANOSECONDS.sleep(Math.max(rest, 0));
  }

  static long count(Arguments arguments, String option) throws Arguments.UsageException {
    Optional<String> text = arguments.value(option);
    if (text.filter(digits -> !digits.matches("[1-9]\\d{0,8}")).isPresent()) {
      throw new Arguments.UsageException("`" + option + "` is a number from 1");
    }
    return text.map(Long::parseLong).orElse(Long.MAX_VALUE);
  }

  private static String query(Arguments arguments) {
    StringBuilder out = new StringBuilder("/refusals/events?decision=").append(arguments.on(DENIED) ? "denied" : "all");
    for (String option : List.of(RULE, SUBJECT, PATH)) {
      arguments.value(option).ifPresent(value -> out.append('&').append(option.substring(2)).append('=')
          .append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
    }
    return out.toString();
  }

  /** Shows decisions until the service ends the stream, as it does where credentials expire, or all are shown. */
  private void follow(ConsoleClient client, String path, boolean isJson)
      throws ManagementClient.UnavailableException, Arguments.UsageException {
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(client.open(path, "text/event-stream"), StandardCharsets.UTF_8), LONGEST_LINE)) {
      for (String line = lines.readLine(); line != null && left > 0; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          show(line.substring("data: ".length()), isJson);
        }
      }
    } catch (IOException e) {
      throw new ManagementClient.UnavailableException(client.url() + ": " + ManagementService.reason(e));
    }
  }

  private void show(String json, boolean isJson) {
    try {
      if (!(Json.read(json) instanceof Value.Dict entry)) {
        return;
      }
      if (entry.get("missed").isPresent()) {
        console.complain(text(entry, "missed") + " more decisions are not shown");
        return;
      }
      last = Math.max(last, Long.parseLong(text(entry, "number")));
      console.say(TerminalText.escaped(isJson ? json : line(entry), ""));
      left = console.isRead() ? left - 1 : 0;
    } catch (ValueException | NumberFormatException _) {
      console.complain("the service has sent what is not a decision");
    }
  }

  private static String line(Value.Dict entry) {
    StringBuilder out = new StringBuilder(CLOCK.format(Instant.parse(text(entry, "time")))).append(' ')
        .append(text(entry, "answer")).append(' ').append(text(entry, "decision")).append(' ')
        .append(text(entry, "method")).append(' ').append(text(entry, "host")).append(text(entry, "path"));
    for (String name : List.of("rule", "step", "subject", "client", "request_id")) {
      String value = text(entry, name);
      if (!value.isEmpty()) {
        out.append(' ').append(name).append('=').append(value);
      }
    }
    String reason = text(entry, "reason");
    return reason.isEmpty() ? out.toString() : out.append(": ").append(reason).toString();
  }

  static String text(Value.Dict from, String name) {
    return switch (from.get(name).orElse(Value.NULL)) {
      case Value.Str(String value) -> value;
      case Value.Int whole -> Long.toString(whole.value());
      default -> "";
    };
  }
}
