package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;

class LockExchangeTest {
  private static final int MANY = 2500;

  private final InstantSource clock = InstantSource.system();
  private final LockTable locks = new LockTable(clock);
  private final AtomicLong seconds = new AtomicLong();

  @TempDir
  private Path folder;

  @Test
  void sendingManyLocksIsInterruptedForWhatElseIsToBeDone() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder);
        Instance other = Instance.at("other", server.port())) {
      LockLedger ledger = new LockLedger(locks, clock, other.log(), () -> {});
      ledger.start();
      for (int i = 0; i < MANY; i++) {
        locks.add(new Lock(Lock.Target.SUBJECT, "user" + i, "", Optional.empty(), "test", "command", Instant.EPOCH,
            Optional.empty()));
      }
      LockExchange exchange = new LockExchange(other.redis(Instance.settings(server.port(), "")), ledger, "one", clock,
          () -> seconds.getAndIncrement() * 1_000_000_000L, other.log());
      assertFalse(exchange.send());
      assertEquals(MANY - 1000, ledger.pending());
      assertFalse(exchange.send());
      assertTrue(exchange.send());
      assertEquals(0, ledger.pending());
      assertEquals(MANY, other.started().locks().all().size());
    }
  }
}
