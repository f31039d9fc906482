package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;

class MembershipTest {
  private static final Member MEMBER = new Member("gate-1", "1.0", Instant.EPOCH,
      new Member.Digests("a".repeat(64), ""), Instant.EPOCH.plusMillis(1));

  @TempDir
  private Path folder;

  private static List<String> names(Instance instance) {
    return instance.fleet().status().others().stream().map(Member::name).toList();
  }

  @Test
  void instancesKnowEachOtherAndWhatTheyDifferIn() {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        Instance two = Instance.start("two", server.port());
        Instance three = Instance.start("three", server.port())) {
      for (Instance instance : List.of(one, two, three)) {
        Instance.await("it knows the others", () -> names(instance).size() == 2);
        assertEquals(0, instance.fleet().status().drift());
      }
      two.decidesBy(new Member.Digests("c".repeat(64), "b".repeat(64)));
      Instance.await("one sees it", () -> one.fleet().status().drift() == 1);
      Instance.await("two sees it", () -> two.fleet().status().drift() == 2);
      assertEquals(1, one.fleet().status().drift(Member.Difference.RULES));
      assertEquals(0, one.fleet().status().drift(Member.Difference.CONFIGURATION));
      three.fleet().leave();
      Instance.await("it has left", () -> names(one).equals(List.of("two")));
    }
  }

  @Test
  void twoInstancesOfOneNameAreReportedUntilOneHasLeft() {
    String same = "Another instance has the same fleet.name";
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder);
        Instance one = Instance.start("one", server.port());
        Instance other = Instance.start("other", server.port())) {
      Instance again = Instance.start("one", server.port());
      try (again) {
        Instance.await("both report it", () -> one.hasProblem(same) && again.hasProblem(same));
        again.fleet().leave();
        Instance.await("it has ended", () -> !one.hasProblem(same));
        assertEquals(List.of(), other.problems());
      }
    }
  }

  @Test
  void anInstanceThatWasKilledIsNotTakenForAnother() {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder)) {
      Instance.start("one", server.port()).close(); // without leaving
      try (Instance one = Instance.start("one", server.port())) {
        Instance.await("it is known", () -> names(one).equals(List.of("one")));
        Instance.await("it is forgotten", () -> names(one).isEmpty());
        assertEquals(0, one.logged("the same fleet.name"));
      }
    }
  }

  @Test
  void aLostInstanceIsForgottenByItself() {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.start("one", server.port())) {
      Instance two = Instance.start("two", server.port());
      Instance.await("it is known", () -> names(one).equals(List.of("two")));
      two.close();
      long left = server.keys("portcullis:{fleet}:instances:*").stream()
          .mapToLong(key -> Long.parseLong(server.say("PTTL " + key).substring(1))).filter(time -> time > 0).count();
      assertEquals(2, left, "each ends by itself");
      server.keys("portcullis:{fleet}:instances:*").forEach(key -> server.say("DEL " + key)); // its time is over
      Instance.await("it is forgotten", () -> names(one).isEmpty());
    }
  }

  @Test
  void nonsenseIsNoInstance() {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder); Instance one = Instance.start("one", server.port())) {
      String set = "portcullis:{fleet}:instances:";
      server.say("SET " + set + "0123456789abcdef {}", "ZADD " + set + "index 99999999999999 0123456789abcdef");
      Instance.await("it is reported", () -> one.logged("Descriptions of instances in Redis are ignored") == 1);
      assertTrue(names(one).isEmpty());
    }
  }

  @Test
  void descriptionsAreReadAsTheyWereWritten() {
    assertEquals(Optional.of(MEMBER), Member.read(MEMBER.document()));
    assertEquals(Set.of(Member.Difference.VERSION, Member.Difference.RULES), MEMBER.differences(
        new Member("x", "2", Instant.EPOCH, new Member.Digests("", ""), Instant.EPOCH)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "[]", "{}", "{'name':'<b>'}", "{'name':'n','version':'1','since':'now'}",
    "{'name':'n','version':'1','since':'2030-01-01T00:00:00Z','seen':'2030-01-01T00:00:00Z','rules':'XYZ'}",
    "{'name':'a b','version':'1','since':'2030-01-01T00:00:00Z','seen':'2030-01-01T00:00:00Z'}"})
  void nothingElseIsRead(String text) {
    assertEquals(Optional.empty(), Member.read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }
}
