package portcullis.serve.service;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.http.message.Response;
import portcullis.http.message.ValidRequest;
import portcullis.lang.address.Network;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.telemetry.Log;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.limit.RateStore;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockEvents;
import portcullis.policy.lock.LockTable;
import portcullis.serve.lock.LockDocument;

/**
 * Lists, adds and removes locks, and ends lockouts after failed attempts, for clients that have the key of the
 * management service; a change is recorded in the audit chain before it is made. Thread safe.
 */
public final class LockEndpoint {
  static final String PATH = "/locks";
  private static final String LOCKOUTS = PATH + "/lockouts/";
  /** Clients for whom trusted proxies name different addresses. */
  private static final String UNKNOWN = "unknown";
  private static final String BEARER = "Bearer ";
  private static final int LARGEST = 16 << 10;
  private static final String SHAPE = "a lock has `target` (subject, email, session, token, client), `value` and "
      + "`reason`, and perhaps `issuer` and `until`";
  private static final String SPACED = "what it locks begins or ends with a space, which is part of the name";
  private static final String WHY = "; the log and `problems` of /status say why";
  private static final String UNSHARED = " on this instance; the other instances will know it when Redis can be used "
      + "again";
  private static final String UNSHARED_LOCK = "it is in force" + UNSHARED;
  private static final String UNSHARED_UNLOCK = "it is removed" + UNSHARED;
  private static final String UNSAVED_LOCK = "it is in force, but not saved: a restart would lose it";
  private static final String UNSAVED_UNLOCK = "it is removed, but that is not saved: a restart would lock again";
  /** The last second that others than Java can read, too. */
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
  /** Of a new lock: one that is misspelt could make it longer or wider than meant. */
  private static final Set<String> MEMBERS = Set.of("target", "value", "reason", "issuer", "until");

  private final LockTable locks;
  private final Reach reach;
  private final Supplier<Lockouts> lockouts;
  private final SymmetricKey key;
  private final AuditTrail audit;
  private final InstantSource clock;
  private final Log log;

  /**
   * Where a change holds beside here and now.
   *
   * @param isSaved whether a restart keeps the latest change
   * @param isShared whether the other instances learn of it; may wait shortly
   */
  public record Reach(BooleanSupplier isSaved, BooleanSupplier isShared) {
    /** Returns what whoever made a change has to know; empty if it holds everywhere. */
    private Optional<String> warning(String unsaved, String unshared) {
      List<String> out = new ArrayList<>();
      if (!isSaved.getAsBoolean()) {
        out.add(unsaved);
      }
      if (!isShared.getAsBoolean()) {
        out.add(unshared);
      }
      return out.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", out) + WHY);
    }
  }

  /** @param lockouts after failed attempts */
  public LockEndpoint(LockTable locks, Reach reach, Supplier<Lockouts> lockouts, SymmetricKey key,
      AuditTrail audit, InstantSource clock, Log log) {
    this.locks = locks;
    this.reach = reach;
    this.lockouts = lockouts;
    this.key = key;
    this.audit = audit;
    this.clock = clock;
    this.log = log;
  }

  /** @param path {@code /locks} or that of a lock below it */
  Response answer(ValidRequest incoming, String path) {
    List<String> credentials = incoming.fields().all("Authorization");
    boolean isKnown = credentials.size() == 1 && credentials.getFirst().startsWith(BEARER)
        && key.isWrittenAs(credentials.getFirst().substring(BEARER.length()).strip());
    if (!isKnown) {
      log.warn("A request without the key of locks was refused", "_client", incoming.client());
      return error(401, "the key of management.locks.key_file is required").with("WWW-Authenticate", "Bearer");
    }
    try {
      return path.equals(PATH) ? collection(incoming)
          : path.startsWith(LOCKOUTS) ? lockout(incoming, path.substring(LOCKOUTS.length()))
              : single(incoming, path.substring(PATH.length() + 1));
    } catch (AuditException e) {
      return error(503, "the audit chain refuses the change: " + e.getMessage());
    } catch (ValueException | IOException e) {
      return error(400, "the request is not a lock as JSON: " + e.getMessage());
    }
  }

  private Response collection(ValidRequest incoming) throws AuditException, ValueException, IOException {
    return switch (incoming.method()) {
      case "GET" -> answer(200, new Value.Dict(Map.of(
          "locks", new Value.Array(locks.all().stream().map(lock -> (Value) LockDocument.of(lock)).toList()),
          "lockouts", new Value.Array(lockouts.get().current().stream().map(this::document).toList()))));
      case "POST" -> add(incoming);
      default -> error(405, "GET and POST are possible").with("Allow", "GET, POST");
    };
  }

  private Response add(ValidRequest incoming) throws AuditException, ValueException, IOException {
    Optional<Lock> lock = lock(incoming);
    if (lock.isEmpty()) {
      return error(400, SHAPE);
    }
    Optional<String> mistake = LockTable.mistake(lock.get()).or(() -> over(lock.get())).or(() -> strange(lock.get()));
    if (mistake.isPresent()) {
      return error(422, mistake.get());
    }
    audit.record(LockEvents.lock(by(incoming), lock.get()));
    Optional<String> obstacle = locks.add(lock.get());
    if (obstacle.isPresent()) {
      return error(422, obstacle.get());
    }
    log.notice("Locked", "_lock", lock.get().id(), "_target", lock.get().text(), "_reason", lock.get().reason(),
        "_client", incoming.client());
    Lock made = lock.get();
    boolean isSpaced = !made.value().strip().equals(made.value()) || !made.issuer().strip().equals(made.issuer());
    Optional<String> warning = reach.warning(UNSAVED_LOCK, UNSHARED_LOCK).or(() -> Optional.of(SPACED)
        .filter(_ -> isSpaced));
    return answer(201, document(made, warning));
  }

  /** A change that cannot be kept or shared is in force all the same, but whoever makes it has to know. */
  private static Value.Dict document(Lock lock, Optional<String> warning) {
    Map<String, Value> out = new LinkedHashMap<>(LockDocument.of(lock).members());
    warning.ifPresent(text -> out.put("warning", Value.of(text)));
    return new Value.Dict(out);
  }

  private Optional<String> over(Lock lock) {
    Instant now = clock.instant();
    return lock.until().filter(_ -> lock.isOver(now))
        .map(end -> "`until` is " + end + ", which is over: it is " + now.truncatedTo(ChronoUnit.SECONDS));
  }

  /** Returns what nobody means who writes a lock by hand; locks of events are as the events have it. */
  private static Optional<String> strange(Lock lock) {
    if (lock.until().filter(LAST::isBefore).isPresent()) {
      return Optional.of("`until` is after the year 9999: leave it out for a lock without an end");
    }
    if (lock.target() == Lock.Target.CLIENT && !lock.issuer().isEmpty()) {
      return Optional.of("`issuer` has no meaning for a client: leave it out");
    }
    if (lock.value().isBlank()) {
      return Optional.of("`value` is blank");
    }
    return Stream.of(Map.entry("value", lock.value()), Map.entry("issuer", lock.issuer()))
        .filter(member -> member.getValue().chars().anyMatch(LockEndpoint::isStrange))
        .findFirst().map(member -> "`" + member.getKey() + "` has a control character, or one that is none (U+FFFD)");
  }

  private static boolean isStrange(int c) {
    return Character.isISOControl(c) || c == 0xFFFD;
  }

  private Optional<Lock> lock(ValidRequest incoming) throws ValueException, IOException {
    byte[] body;
    try (InputStream in = incoming.content().stream()) {
      body = in.readNBytes(LARGEST + 1);
    }
    if (body.length > LARGEST) {
      throw new ValueException("it has more than " + LARGEST + " bytes");
    }
    if (!(Json.readStrict(body) instanceof Value.Dict object)) {
      throw new ValueException("it is not an object; " + SHAPE);
    }
    Optional<String> mistake = object.members().keySet().stream().filter(name -> !MEMBERS.contains(name)).findFirst()
        .map(name -> "`" + name + "` is not a member; " + SHAPE).or(() -> LockDocument.mistake(object));
    if (mistake.isPresent()) {
      throw new ValueException(mistake.get());
    }
    Map<String, Value> members = new LinkedHashMap<>(object.members());
    members.put("since", Value.of(clock.instant().toString()));
    members.put("origin", Value.of("command"));
    return LockDocument.read(new Value.Dict(members)).filter(lock -> !lock.reason().isBlank());
  }

  private Response single(ValidRequest incoming, String id) throws AuditException {
    if (!incoming.method().equals("DELETE")) {
      return error(405, "DELETE is possible").with("Allow", "DELETE");
    }
    Optional<Lock> lock = locks.all().stream().filter(one -> one.id().equals(id)).findFirst();
    if (lock.isEmpty()) {
      return error(404, "there is no such lock");
    }
    audit.record(LockEvents.unlock(by(incoming), lock.get()));
    locks.remove(id);
    log.notice("Unlocked", "_lock", id, "_target", lock.get().text(), "_client", incoming.client());
    return answer(200, document(lock.get(), reach.warning(UNSAVED_UNLOCK, UNSHARED_UNLOCK)));
  }

  private Value document(Lockouts.Current one) {
    Instant end = clock.instant().plus(one.left()).truncatedTo(ChronoUnit.SECONDS);
    return new Value.Dict(Map.of("client", Value.of(text(one.network())), "credentials", Value.of(one.credentials()),
        "until", Value.of(end.toString())));
  }

  private static String text(Optional<Network> network) {
    return network.map(Network::toString).orElse(UNKNOWN);
  }

  /** Ends the lockouts of a client, which is an address, its network as lists show it, or unknown. */
  private Response lockout(ValidRequest incoming, String client) throws AuditException {
    if (!incoming.method().equals("DELETE")) {
      return error(405, "DELETE is possible").with("Allow", "DELETE");
    }
    Optional<Network> named = Network.parse(client);
    Optional<Network> network = named.map(found -> Network.ofPeer(found.base()));
    if (network.isPresent() && named.get().bits() < network.get().bits()) {
      return error(422, "`" + client + "` is a network: name one address of it, as 192.0.2.7");
    }
    if (network.isEmpty() && !client.equals(UNKNOWN)) {
      return error(422, "`" + client + "` is neither an IP address nor `" + UNKNOWN + "`");
    }
    if (!lockouts.get().mayHave(network)) {
      return error(404, "there is no failed attempt of " + text(network));
    }
    audit.record(LockEvents.endOfLockouts(by(incoming), text(network)));
    try {
      if (!lockouts.get().end(network)) {
        return error(404, "there is no failed attempt of " + text(network));
      }
    } catch (RateStore.UnavailableException e) {
      return error(503, e.getMessage() + ": the lockout is not ended, try again");
    }
    log.notice("Lockouts ended", "_of", text(network), "_client", incoming.client());
    return answer(200, Value.dict("client", Value.of(text(network))));
  }

  private static String by(ValidRequest incoming) {
    return "management " + incoming.client();
  }

  private static Response error(int status, String message) {
    return answer(status, Value.dict("error", Value.of(message)));
  }

  private static Response answer(int status, Value.Dict document) {
    return Response.of(status, "application/json", JsonText.plain(document)).with("Cache-Control", "no-store")
        .with("X-Content-Type-Options", "nosniff");
  }
}
