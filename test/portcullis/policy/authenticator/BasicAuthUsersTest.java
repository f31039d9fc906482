package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.crypto.passwords.PasswordHash;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.lang.value.JsonText;
import portcullis.policy.limit.LockoutStore;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.limit.RateStore;
import portcullis.policy.mechanism.Failure;

class BasicAuthUsersTest {
  /** The passwords are {@code pässword} and {@code U*U}. */
  private static final String USERS = """
      alice:
        user_id: alice
        password: "$argon2id$v=19$m=1024,t=2,p=1$FRgpbDTM6gA$okoTfst0X8SyXSlhyrJfRw"
        attributes: { team: build, level: 3 }
      bob: { password: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW }
      third: { user_id: zoë, password: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW }
      """;
  private final Bench bench = new Bench();

  @TempDir
  private Path folder;
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = folder.resolve("users.yaml");
    Files.writeString(file, USERS);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private static Request basic(String credentials) {
    return Bench.with("Authorization",
        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
  }

  private Bench.Made<?> made() {
    return bench.make(BasicAuth.TYPE, "{ users: " + file + " }");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      alice:pässword  | alice
      alice:passwort  | authentication error: invalid user credentials
      alice:          | authentication error: invalid user credentials
      bob:U*U         | bob
      bob:pässword    | authentication error: invalid user credentials
      Bob:U*U         | authentication error: invalid user credentials
      zoë:U*U         | zoë
      third:U*U       | authentication error: invalid user credentials
      carol:U*U       | authentication error: invalid user credentials
      :               | authentication error: invalid user credentials
      alice           | authentication error: malformed user-id - password scheme
      """)
  void usersOfAFileHaveTheirPasswords(String credentials, String outcome) {
    assertEquals(outcome, made().outcome(basic(credentials)));
  }

  @Test
  void subjectsHaveAttributes() {
    assertEquals("{\"level\":3,\"team\":\"build\"}",
        JsonText.of(made().accepts(basic("alice:pässword")).attributes()));
  }

  @Test
  void readsItsFileAgain() throws Exception {
    var context = bench.context(Enforcement.NONE);
    var users = context.limits().users().open(file);
    assertTrue(users.get().find("bob").isPresent());
    Files.writeString(file, USERS.replace("bob:", "rob:"));
    context.limits().users().prepared(file).run();
    assertTrue(users.get().find("rob").isPresent());
    assertFalse(users.get().find("bob").isPresent());
  }

  /** Who asks again would otherwise see by the time that a name is none of a user. */
  @Test
  void anUnknownNameAlwaysHasTheSameCosts() throws Exception {
    Files.writeString(file, "a: {password: $2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW}\n"
        + "b: {password: $2y$12$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi}\n");
    var users = bench.context(Enforcement.NONE).limits().users().open(file).get();
    Set<PasswordHash> decoys = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assertEquals(users.hashOf("nobody" + i), users.hashOf("nobody" + i));
      decoys.add(users.hashOf("nobody" + i));
    }
    assertEquals(2, decoys.size(), "each has one of those that users have");
  }

  /**
   * A password is verified whoever the user is: the medians of unknown users and of known ones with wrong passwords are
   * alike.
   */
  @Test
  void unknownUserTakesAsLongAsKnownOneOfAFile() throws Exception {
    Files.writeString(file, USERS.replaceAll("(?m)^(bob|third):.*\n", ""));
    Bench.Made<?> made = made();
    Request[] wrong = {basic("alice:guess"), basic("nobody:guess"), basic("x:pässword")};
    double[] medians = medians(made, wrong);
    for (int again = 0; again < 4 && !areAlike(medians); again++) { // what else runs may disturb some of them
      medians = medians(made, wrong);
    }
    assertTrue(areAlike(medians), Arrays.toString(medians));
  }

  private static boolean areAlike(double[] medians) {
    double least = Arrays.stream(medians).min().orElseThrow();
    return Arrays.stream(medians).allMatch(median -> median < 1.3 * least);
  }

  private static double[] medians(Bench.Made<?> made, Request[] wrong) {
    long[][] times = new long[wrong.length][100];
    for (int round = 0; round < times[0].length; round++) {
      for (int kind = 0; kind < wrong.length; kind++) {
        long begin = System.nanoTime();
        made.refuses(wrong[kind]);
        times[kind][round] = System.nanoTime() - begin;
      }
    }
    Arrays.stream(times).forEach(Arrays::sort);
    return Arrays.stream(times).mapToDouble(all -> all[all.length / 2]).toArray();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      alice: { password: secret }           | users.yaml:1:22: alice.password: is not a hash, portcullis password \
      hash writes one by Argon2id; bcrypt is understood as well
      alice: {}                             | users.yaml:1:10: alice: `password` is missing, it is a string: the hash \
      of the password
      'a:b': { password: HASH }             | users.yaml:1:3: a:***: a colon cannot be part of a user name, write \
      another `user_id`
      a: { password: HASH, user_id: b }, b: { password: HASH } | users.yaml:1:94: b: two entries have the user `b`, \
      users are unique
      {}                                    | users.yaml:1:1: there are no users, each is a name, with the hash \
      of its password below it
      alice: { password: HASH, realm: x }   | users.yaml:1:84: alice: unknown key `realm`, known: attributes, \
      password, user_id
      """)
  void filesAreRefusedWithWhatWouldBeRight(String yaml, String reported) throws Exception {
    String text = yaml.equals("{}") ? yaml : "{ " + yaml + " }";
    Files.writeString(file,
        text.replace("HASH", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"));
    String found = bench.problems(BasicAuth.TYPE, "{ users: " + file + " }", Enforcement.NONE);
    assertEquals(reported, found.replaceFirst(".*?users.yaml:(?=\\d)", "users.yaml:"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      { users: FILE, user_id: a }           | `user_id` and `users` exclude each other
      { users: FILE, password: a }          | `password` and `users` exclude each other
      { users: FILE, cache_ttl: 61m }       | cache_ttl: a password would be remembered too long, at most 1h
      { user_id: a, password: b, cache_ttl: 1m } | `cache_ttl` is for `users`
      { users: FILE.not }                   | there is no such file
      """)
  void wrongSettingsAreRefused(String yaml, String reported) {
    String found = bench.problems(BasicAuth.TYPE, yaml.replace("FILE", file.toString()), Enforcement.NONE);
    assertTrue(found.contains(reported), found);
  }

  @Test
  void aStepMayChangeTheTimeAlone() {
    String reported = made().refusal("text");
    assertTrue(reported.contains("settings with: cache_ttl"), reported);
    assertFalse(reported.contains("lockout"), reported);
  }

  @Test
  void passwordsAreRememberedForAMinuteAndAnHourAtMost() {
    assertEquals(Duration.ofMinutes(1), ((BasicAuth.Many) made().config()).remembered());
    Bench.Made<?> longest = bench.make(BasicAuth.TYPE, "{ users: " + file + ", cache_ttl: 1h }");
    assertEquals(Duration.ofHours(1), ((BasicAuth.Many) longest.config()).remembered());
  }

  @Test
  void locksOutUsersWithWrongPasswordsForATime() {
    Bench.Made<?> made = bench.make(BasicAuth.TYPE, "{ users: " + file + ", lockout: { attempts: 2, for: 1m } }");
    made.refuses(basic("bob:guess"));
    made.refuses(basic("bob:other"));
    assertEquals("too many requests: too many failed attempts: the credential is locked out for network 127.0.0.1/32",
        made.outcome(basic("bob:U*U")));
    assertEquals("alice", made.outcome(basic("alice:pässword")));
    bench.steady.pass(Duration.ofMinutes(1));
    assertEquals("bob", made.outcome(basic("bob:U*U")));
  }

  @Test
  void unknownUsersAreLockedOutAsKnownOnes() {
    Bench.Made<?> made = bench.make(BasicAuth.TYPE, "{ users: " + file + ", lockout: { attempts: 2, for: 1m } }");
    String[] outcomes = new String[2];
    String[] users = {"bob", "nobody"};
    for (int i = 0; i < users.length; i++) {
      Request guess = basic(users[i] + ":guess");
      outcomes[i] = made.outcome(guess) + "; " + made.outcome(guess) + "; " + made.outcome(guess);
    }
    assertEquals(outcomes[0], outcomes[1]);
    assertTrue(outcomes[1].contains("too many requests"), outcomes[1]);
  }

  @Test
  void nothingShowsAHash() {
    Bench.Made<?> made = made();
    assertFalse((made.config() + " " + made.mechanism()).contains("$2a$"));
  }

  /** The store may have locked it out at another instance. */
  @Test
  void withoutTheStoreNobodyIsLetInWhereThatIsConfigured() {
    LockoutStore away = (_, _, _, _) -> {
      throw new RateStore.UnavailableException("gone");
    };
    bench.lockouts = Optional.of(Lockouts.shared(bench.steady, away, true));
    Bench.Made<?> made = bench.make(BasicAuth.TYPE, "{ users: " + file + ", lockout: { attempts: 2, for: 1m } }");
    for (String credentials : List.of("bob:U*U", "bob:guess")) {
      Failure failure = made.refuses(basic(credentials));
      assertEquals("service unavailable: failed attempts at other instances are unknown: gone", failure.report());
    }
  }

  @Test
  void aClientThatTriesManyPasswordsAtOnceIsToldToWait() throws Exception {
    Files.writeString(file, "slow: { password: $2a$13$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW }\n");
    Bench.Made<?> made = made();
    List<Future<Failure>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(6)) {
      for (int i = 0; i < 6; i++) {
        String guess = "slow:guess" + i;
        all.add(threads.submit(() -> made.refuses(basic(guess))));
      }
    }
    List<Failure.TooManyRequests> busy = new ArrayList<>();
    for (Future<Failure> one : all) {
      if (one.get() instanceof Failure.TooManyRequests many) {
        busy.add(many);
      } else {
        assertEquals("authentication error: invalid user credentials", one.get().report());
      }
    }
    assertFalse(busy.isEmpty());
    assertEquals(Fields.of("Retry-After", "1"), busy.getFirst().headers());
  }
}
