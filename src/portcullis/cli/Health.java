package portcullis.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Asks a running service whether it is well. */
final class Health {
  static final List<Arguments.Option> OPTIONS = List.of(
      new Arguments.Option("--endpoint", "-e", "URL", "of the management service, as http://127.0.0.1:4457"),
      new Arguments.Option("--output", "-o", "text|json|yaml", "how the answer is written"));

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Console console;

  Health(Console console) {
    this.console = console;
  }

  int run(Arguments arguments) throws Arguments.WrongUse {
    String form = arguments.value("--output").orElse("text");
    String endpoint = arguments.value("--endpoint").filter(e -> !e.isBlank())
        .orElseThrow(() -> new Arguments.WrongUse("name the management service by `--endpoint URL`"));
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      URI uri = URI.create(endpoint.replaceAll("/+$", "") + "/.well-known/health");
      HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
          HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        return fault("unexpected status " + answer.statusCode() + " from " + uri, form);
      }
      return told(answer.body(), form);
    } catch (IOException e) {
      return fault("no answer from " + endpoint, form);
    } catch (IllegalArgumentException e) {
      throw new Arguments.WrongUse("`" + endpoint + "` is no URL of http or https");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 1;
  }

  private int told(String body, String form) {
    try {
      Value status = Json.read(body) instanceof Value.Dict d ? d.get("status").orElse(Value.NULL) : Value.NULL;
      if (!(status instanceof Value.Str text)) {
        return fault("the answer tells no status", form);
      }
      console.say(switch (form) {
        case "json" -> body;
        case "yaml" -> "status: " + text.value();
        default -> text.value();
      });
      return 0;
    } catch (ValueException e) {
      return fault("the answer is no JSON", form);
    }
  }

  /** Programs that asked for JSON or YAML get it in any case. */
  private int fault(String why, String form) {
    switch (form) {
      case "json" -> console.say(JsonText.plain(Value.dict("error", Value.of(why))));
      case "yaml" -> console.say("error: " + JsonText.plain(Value.of(why)));
      default -> console.complain(why);
    }
    return 1;
  }
}
