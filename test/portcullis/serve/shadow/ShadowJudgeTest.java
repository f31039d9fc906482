package portcullis.serve.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Await;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.lang.source.Problems;
import portcullis.observe.decisions.AnswerMemory;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.replay.ReplayDecider;
import portcullis.policy.route.RouteIndex;

/** Requests that find no room are dropped and counted; those that fit are released when they are compared. */
class ShadowJudgeTest {
  private static ShadowSet set() {
    ReplayDecider decider = ReplayDecider.remembering();
    KeyRings keys = new KeyRings(decider.clock());
    MechanismContext context = new MechanismContext(decider.caller(keys), keys, Enforcement.NONE, decider.clock(),
        decider.clock(), decider.silent());
    Snapshot rules = new Snapshot(1, Catalogue.read(Optional.empty(), context, new Problems()), RouteIndex.empty(),
        Optional.empty(), ProtectedHeaders.NONE);
    return new ShadowSet(decider, rules, Instant.EPOCH);
  }

  private static DecidedRequest request(int size) throws Exception {
    Request request = new Request("GET", "http", Authority.parse("any.test").orElseThrow(), RequestPath.read("/"), "",
        Fields.NONE, List.of("192.0.2.1"), Body.none());
    return new DecidedRequest(Instant.EPOCH, request, Optional.of(new byte[size]), true, "", "", List.of(),
        Optional.empty(), Optional.empty(), List.of(), List.of(), "", "");
  }

  private static ShadowJudge judge(AnswerMemory memory) {
    return new ShadowJudge(new SharedAnswers(), Optional.empty(), Optional.empty(), () -> {}, memory);
  }

  @Test
  void requestsWithoutRoomAreDroppedAndCounted() throws Exception {
    AnswerMemory memory = new AnswerMemory(100_000);
    ShadowSet set = set();
    try (ShadowJudge judge = judge(memory)) {
      judge.use(Optional.of(set));
      judge.offer(set, request(100_000));
      assertEquals(1, judge.dropped());
      assertEquals(1, set.report().dropped());
      judge.offer(set, request(50_000));
      awaitDecided(set);
      Await.until(() -> memory.used() == 0);
      assertEquals(1, set.report().count(ShadowReport.Change.NEWLY_DENIED), "there is no rule");
      assertEquals(1, judge.dropped());
    }
  }

  @Test
  void nothingIsRecordedForRequestsWithoutRoom() throws Exception {
    ShadowSet set = set();
    try (ShadowJudge judge = judge(new AnswerMemory(1L << 30))) {
      assertEquals(Optional.empty(), judge.admitting());
      judge.use(Optional.of(set));
      DecidedRequest request = request(0);
      for (int i = 0; i < 5_000_000 && judge.admitting().isPresent(); i++) {
        judge.offer(set, request);
      }
      assertTrue(judge.dropped() > 0);
      assertEquals(judge.dropped(), set.report().dropped());
    }
  }

  /** Returns how many requests of that size find room before one is dropped. */
  private static void assertRoom(long room, int size) throws Exception {
    ShadowSet set = set();
    try (ShadowJudge judge = new ShadowJudge(new SharedAnswers(), Optional.empty(), Optional.empty(), () -> {})) {
      judge.use(Optional.of(set));
      DecidedRequest request = request(size);
      long offered = 0;
      while (judge.dropped() == 0) {
        judge.offer(set, request);
        offered++;
      }
      long decided = set.report().decided() + 1; // and the one that is being decided
      assertTrue(offered > room && offered <= room + 1 + decided, offered + " of " + room + ", " + decided);
    }
  }

  @Test
  void upTo512RequestsWait() throws Exception {
    assertRoom(512, 0);
  }

  /** What waits makes collections of garbage long, so that all requests are slower. */
  @Test
  void fewRequestsWaitWhereTheyComeTooFast() throws Exception {
    ShadowSet set = set();
    DecidedRequest request = request(0);
    try (ShadowJudge judge = judge(new AnswerMemory(1L << 30))) {
      judge.use(Optional.of(set));
      Await.until(() -> {
        assertTrue(offer(judge, set, request, 50_000) > 0);
        Await.until(() -> set.report().waiting() < 32);
        offer(judge, set, request, 5_000); // within a second of a drop, on a machine that is not too busy
        return set.report().waiting() <= 65;
      });
      Await.until(() -> {
        Await.pause(1_100);
        return offer(judge, set, request, 200) == 0;
      });
    }
  }

  /** Returns how many of so many requests were dropped. */
  private static long offer(ShadowJudge judge, ShadowSet set, DecidedRequest request, int count) {
    long before = judge.dropped();
    for (int i = 0; i < count; i++) {
      judge.offer(set, request);
    }
    return judge.dropped() - before;
  }

  @Test
  void requestsThatWaitHave32MegabytesOrAThirtySecondOfTheHeap() throws Exception {
    int size = 1 << 20;
    long most = Math.min(32L << 20, Runtime.getRuntime().maxMemory() / 32);
    assertRoom(most / request(size).bytes(), size);
  }

  @Test
  void requestsOfOtherRulesAreDiscarded() throws Exception {
    AnswerMemory memory = new AnswerMemory(100_000);
    ShadowSet older = set();
    try (ShadowJudge judge = judge(memory)) {
      judge.offer(older, request(10));
      ShadowSet set = set();
      judge.use(Optional.of(set));
      judge.offer(older, request(10));
      judge.offer(set, request(10));
      awaitDecided(set);
      assertEquals(0, older.report().decided());
      assertEquals(0, judge.dropped());
    }
  }

  private static void awaitDecided(ShadowSet set) throws InterruptedException {
    Await.until(() -> set.report().decided() != 0);
  }

  @Test
  void memoryOfAnswersIsShared() {
    AnswerMemory memory = new AnswerMemory(100);
    try (RemoteAnswers one = new RemoteAnswers(memory); RemoteAnswers other = new RemoteAnswers(memory)) {
      one.add("k", new byte[60]);
      other.add("k", new byte[60]);
      assertEquals(1, one.cached().size());
      assertEquals(0, other.cached().size());
      assertEquals(false, other.complete());
    }
    assertEquals(0, memory.used());
  }

  @Test
  void kindsOfChangesAreBounded() {
    ShadowTally tally = new ShadowTally(Instant.EPOCH);
    for (int i = 0; i < 150; i++) {
      tally.add(ShadowReport.Change.NEWLY_DENIED, "before " + i, "now", "x".repeat(100));
    }
    assertEquals(150, tally.report().count(ShadowReport.Change.NEWLY_DENIED));
    assertEquals(100, tally.report().groups().size());
    assertEquals(64, tally.report().groups().getFirst().request().length());
  }
}
