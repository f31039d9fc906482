package portcullis.app;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import portcullis.value.Json;
import portcullis.value.Value;
import portcullis.value.ValueFault;

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
    String endpoint = arguments.value("--endpoint").filter(e -> !e.isBlank())
        .orElseThrow(() -> new Arguments.WrongUse("name the management service by `--endpoint URL`"));
    try (HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build()) {
      URI uri = URI.create(endpoint.replaceAll("/+$", "") + "/.well-known/health");
      HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        console.complain("unexpected status " + answer.statusCode() + " from " + uri);
        return 1;
      }
      return told(answer.body(), arguments.value("--output").orElse("text"));
    } catch (IOException e) {
      console.complain("no answer from " + endpoint);
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
      if (!(status instanceof Value.Text text)) {
        console.complain("the answer tells no status");
        return 1;
      }
      console.say(switch (form) {
        case "json" -> body;
        case "yaml" -> "status: " + text.value();
        default -> text.value();
      });
      return 0;
    } catch (ValueFault e) {
      console.complain("the answer is no JSON");
      return 1;
    }
  }
}
