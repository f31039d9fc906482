package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.lang.address.Network;

class HandshakeTurnsTest {
  private static final Network MANY = Network.parse("192.0.2.1").orElseThrow();
  private static final Network FEW = Network.parse("192.0.2.2").orElseThrow();

  private final HandshakeTurns turns = new HandshakeTurns(2);
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final BlockingQueue<HandshakeTurns.Turn> held = new LinkedBlockingQueue<>();

  /** Begins one on a thread of its own, which waits: all are taken. */
  private void beginLater(Network peer, String name) throws InterruptedException {
    int before = turns.waiting();
    Thread.ofVirtual().start(() -> {
      HandshakeTurns.Turn turn = turns.begin(peer);
      begun.add(name);
      held.add(turn);
    });
    Await.until(() -> turns.waiting() == before + 1);
  }

  private String next() throws InterruptedException {
    return begun.poll(20, TimeUnit.SECONDS);
  }

  private HandshakeTurns.Turn nextHeld() throws InterruptedException {
    return held.poll(20, TimeUnit.SECONDS);
  }

  @Test
  void soManyComputeAtOnceAndPeersInTurn() throws InterruptedException {
    HandshakeTurns.Turn one = turns.begin(MANY);
    HandshakeTurns.Turn two = turns.begin(MANY);
    for (String name : List.of("first", "second", "third")) {
      beginLater(MANY, name);
    }
    beginLater(FEW, "other");
    one.close();
    assertEquals("first", next());
    two.close();
    assertEquals("other", next());
    nextHeld().close();
    assertEquals("second", next());
    nextHeld().close();
    assertEquals("third", next());
    assertEquals(0, turns.waiting());
    nextHeld().close();
    nextHeld().close();
    turns.begin(FEW).close();
  }

  @Test
  void whoWaitsForTheClientHasNoTurn() throws InterruptedException {
    HandshakeTurns.Turn one = turns.begin(MANY);
    HandshakeTurns.Turn two = turns.begin(MANY);
    one.pause();
    HandshakeTurns.Turn three = turns.begin(FEW);
    Thread.ofVirtual().start(() -> {
      one.resume();
      begun.add("one");
    });
    Await.until(() -> turns.waiting() == 1);
    assertEquals(0, begun.size());
    three.close();
    assertEquals("one", next());
    one.close();
    two.close();
    turns.begin(FEW).close();
  }
}
