package portcullis.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.function.Supplier;
import portcullis.cache.Cache;
import portcullis.message.Field;

/**
 * Makes calls: with a limit for the time to the answer's head and for the answer's size. Thread safe.
 *
 * @param client asked for at the first call
 */
public record Caller(Supplier<HttpClient> client, Cache cache) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_BYTES = 10 << 20;

  /** Says the call as it is and reads the answer to its end; redirects are not followed. */
  public Reply say(Call call) throws CallFailure {
    try {
      HttpResponse<InputStream> response = client.get().send(request(call), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        byte[] bytes = body.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
          throw new CallFailure.Unreachable("the answer is larger than " + (MOST_BYTES >> 20) + " MB");
        }
        return new Reply(response.statusCode(), response.headers(), bytes);
      }
    } catch (HttpTimeoutException e) {
      throw new CallFailure.TimedOut("no answer within " + PATIENCE.toSeconds() + " s");
    } catch (ConnectException e) {
      throw new CallFailure.Unreachable("no connection to " + call.target().getRawAuthority());
    } catch (IOException e) {
      throw new CallFailure.Unreachable("broken connection to " + call.target().getRawAuthority());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallFailure.Unreachable("interrupted");
    }
  }

  private static HttpRequest request(Call call) throws CallFailure {
    HttpRequest.BodyPublisher body = call.body().length == 0 ? HttpRequest.BodyPublishers.noBody()
        : HttpRequest.BodyPublishers.ofByteArray(call.body());
    try {
      HttpRequest.Builder out = HttpRequest.newBuilder(call.target()).timeout(PATIENCE).method(call.method(), body);
      for (Field field : call.fields()) {
        out.header(field.name(), field.value());
      }
      return out.build();
    } catch (IllegalArgumentException e) {
      throw new CallFailure.Unsayable("the call cannot be made: " + e.getMessage());
    }
  }
}
