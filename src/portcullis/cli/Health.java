package portcullis.cli;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.config.Durations;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Requests the health of a running service from its management service. */
final class Health {
  private static final String INSECURE = "--insecure";
  private static final String WAIT = "--wait";
  private static final String READY = "--ready";
  private static final Duration PAUSE = Duration.ofMillis(250);

  static final List<Arguments.Option> OPTIONS = List.of(
      ManagementService.URL_OPTION, ManagementService.CONFIG_OPTION, ManagementService.PREFIX_OPTION,
      ManagementService.CA_OPTION,
      new Arguments.Option(WAIT, "", "DURATION", "for a service that is starting, at most so long, as 30s"),
      new Arguments.Option(READY, "", "", "whether requests may be sent to it, as `/ready` says: not while rule sets "
          + "are fetched first, or while it stops"),
      new Arguments.Option("--output", "-o", "text|json|yaml", "output format"),
      new Arguments.Option(INSECURE, "", "", "not allowed: certificates are always verified, name one to trust by "
          + "`--ca`"));

  private final Console console;

  Health(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.UsageException {
    if (arguments.on(INSECURE)) {
      throw new Arguments.UsageException(
          "`health` has no `" + INSECURE + "`: nothing of the configuration is enforced, "
              + "and certificates are always verified; `" + Flags.CONFIG + " FILE` trusts that of the service itself, `"
              + ManagementService.CA
              + " FILE` those of an issuer");
    }
    String form = arguments.value("--output").orElse("text");
    Instant end = Instant.now().plus(time(arguments));
    try {
      Optional<String> body = health(arguments, end);
      return body.isPresent() ? show(body.get(), form) : 1;
    } catch (KeyMaterialException | ManagementClient.UnavailableException e) {
      return failed(e.getMessage(), form);
    }
  }

  private static Duration time(Arguments arguments) throws Arguments.UsageException {
    return Durations.parse(arguments.value(WAIT).orElse("0"))
        .orElseThrow(() -> new Arguments.UsageException("`" + WAIT + "` is a duration, as 30s"));
  }

  private Optional<String> health(Arguments arguments, Instant end) throws Arguments.UsageException,
      KeyMaterialException, ManagementClient.UnavailableException {
    while (true) {
      try {
        return new ManagementClient(console).get(arguments, arguments.on(READY) ? "/ready" : "/.well-known/health");
      } catch (ManagementClient.UnavailableException e) {
        if (!Instant.now().isBefore(end)) {
          throw e;
        }
        pause();
      }
    }
  }

  private static void pause() throws ManagementClient.UnavailableException {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new ManagementClient.UnavailableException("interrupted");
    }
  }

  private int show(String body, String form) {
    try {
      Value status = Json.read(body) instanceof Value.Dict d ? d.get("status").orElse(Value.NULL) : Value.NULL;
      if (!(status instanceof Value.Str text)) {
        return failed("the answer has no `status`", form);
      }
      console.say(switch (form) {
        case "json" -> body;
        case "yaml" -> "status: " + text.value();
        default -> text.value();
      });
      return 0;
    } catch (ValueException e) {
      return failed("the answer is not JSON", form);
    }
  }

  /** Reports the error in the output format, so that programs can read it too. */
  private int failed(String why, String form) {
    switch (form) {
      case "json" -> console.say(JsonText.plain(Value.dict("error", Value.of(why))));
      case "yaml" -> console.say("error: " + JsonText.plain(Value.of(why)));
      default -> console.complain(why);
    }
    return 1;
  }
}
