package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.http.client.AwaitedResponse;

/** When a request whose upstream is quiet may be left to no thread. */
class QuietWaitTest {
  private final ClientPresence presence = new ClientPresence();
  private final StubExchange exchange = new StubExchange();
  private final List<Integer> waits = new ArrayList<>();

  /** Comes at this wait; never if there is none. */
  private AwaitedResponse quiet(int comesAt) {
    return new AwaitedResponse() {
      @Override
      public boolean isQuiet() {
        return true;
      }

      @Override
      public boolean comes(int millis) {
        waits.add(millis);
        return waits.size() == comesAt;
      }

      @Override
      public HttpResponse<InputStream> get() {
        throw new IllegalStateException("it is not asked for its response");
      }
    };
  }

  @Test
  void aQuietOneIsLeftAtOnceWhereThatIsPossible() {
    exchange.maySuspend = true;
    assertTrue(presence.mayLeave(quiet(0), exchange));
    assertEquals(List.of(), waits);
  }

  @Test
  void aQuietOneIsLeftOnceThatIsPossible() {
    exchange.maySuspend = true;
    exchange.refusals = 3;
    assertTrue(presence.mayLeave(quiet(0), exchange));
    assertEquals(List.of(100, 400, 400), waits);
  }

  @Test
  void whatComesBeforeIsNotLeft() {
    exchange.maySuspend = true;
    exchange.refusals = 3;
    assertFalse(presence.mayLeave(quiet(2), exchange));
    assertEquals(List.of(100, 400), waits);
  }

  @Test
  void whatIsNotQuietIsNotLeft() {
    exchange.maySuspend = true;
    AwaitedResponse there = () -> {
      throw new IllegalStateException("it is not asked for its response");
    };
    assertFalse(presence.mayLeave(there, exchange));
  }

  @Test
  void whatCannotBeLeftIsNotAwaitedInVain() {
    exchange.refusals = 3;
    assertFalse(presence.mayLeave(quiet(0), exchange));
    assertEquals(List.of(), waits);
  }

  @Test
  void aClientThatLeavesEndsSuchAWaitAndNoOther() {
    exchange.maySuspend = true;
    exchange.refusals = 1;
    List<Boolean> interrupted = new ArrayList<>();
    AwaitedResponse leaving = new AwaitedResponse() {
      @Override
      public boolean isQuiet() {
        return true;
      }

      @Override
      public boolean comes(int millis) {
        presence.leave();
        interrupted.add(Thread.currentThread().isInterrupted());
        return true;
      }

      @Override
      public HttpResponse<InputStream> get() {
        throw new IllegalStateException("it is not asked for its response");
      }
    };
    assertFalse(presence.mayLeave(leaving, exchange));
    interrupted.add(Thread.currentThread().isInterrupted());
    assertEquals(List.of(true, false), interrupted);
  }
}
