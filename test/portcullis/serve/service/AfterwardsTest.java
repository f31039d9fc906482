package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.observe.telemetry.RequestId;

class AfterwardsTest {
  private final List<String> done = new ArrayList<>();

  private Afterwards adding(String... names) {
    Afterwards afterwards = new Afterwards();
    for (String name : names) {
      afterwards.add(error -> done.add(name + " " + error));
    }
    return afterwards;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allIsDoneOnceHandlerAndRequestAreOver(boolean overFirst) {
    Afterwards afterwards = adding("inner", "outer");
    if (overFirst) {
      afterwards.over("why");
    } else {
      afterwards.returned();
    }
    assertEquals(List.of(), done);
    if (overFirst) {
      afterwards.returned();
    } else {
      afterwards.over("why");
    }
    assertEquals(List.of("inner why", "outer why"), done);
  }

  @Test
  void whatFailsDoesNotKeepTheRestFromBeingDone() throws Exception {
    CompletableFuture<String> reported = new CompletableFuture<>();
    Thread thread = Thread.ofPlatform().uncaughtExceptionHandler((_, e) -> reported.complete(e.getMessage()))
        .start(() -> {
          Afterwards afterwards = new Afterwards();
          afterwards.add(_ -> {
            throw new IllegalStateException("a bug");
          });
          afterwards.add(_ -> done.add("rest"));
          afterwards.returned();
          afterwards.over("");
        });
    assertEquals("a bug", reported.get(20, TimeUnit.SECONDS));
    assertTrue(thread.join(Duration.ofSeconds(20)));
    assertEquals(List.of("rest"), done);
  }

  @Test
  void itHasTheIdOfTheRequestOnAnotherThread() throws Exception {
    CompletableFuture<Optional<String>> seen = new CompletableFuture<>();
    Afterwards afterwards;
    try (RequestId _ = RequestId.assign("abc")) {
      afterwards = new Afterwards();
      afterwards.add(_ -> seen.complete(RequestId.text()));
    }
    afterwards.returned();
    CompletableFuture<Optional<String>> after = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> {
      afterwards.over("");
      after.complete(RequestId.text());
    });
    assertEquals(Optional.of("abc"), seen.get(20, TimeUnit.SECONDS));
    assertEquals(Optional.empty(), after.get(20, TimeUnit.SECONDS));
  }
}
