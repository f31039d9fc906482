package portcullis.policy.lock;

import java.net.InetAddress;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import portcullis.http.message.Request;
import portcullis.lang.address.Network;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.AccessGuard;

/** The locks in force. Bounded; without locks a request costs one read of a field. Thread safe. */
public final class LockTable implements AccessGuard {
  /** The maximum number of locks, in some 50 MB. */
  public static final int MOST = 100_000;
  /** The maximum number of locked networks, each of which is compared with each request. */
  public static final int MOST_CLIENTS = 1_000;

  private static final String MESSAGE = "access is locked";

  private record Key(Lock.Target target, String issuer, String value, boolean untilLogin) {
    static Key of(Lock lock) {
      return new Key(lock.target(), lock.issuer(), lock.value(), lock.isUntilLogin());
    }
  }

  private record LockedNetwork(Network network, Lock lock) {}

  private final InstantSource clock;
  private final Map<Key, Lock> locks = new ConcurrentHashMap<>();
  private final List<LockedNetwork> networks = new CopyOnWriteArrayList<>();
  private final List<Listener> listeners = new CopyOnWriteArrayList<>();

  /** Is notified of changes, by the thread that makes them. */
  public interface Listener {
    void added(Lock lock);

    void removed(Lock lock);
  }

  public LockTable(InstantSource clock) {
    this.clock = clock;
  }

  public void listen(Listener listener) {
    listeners.add(listener);
  }

  /**
   * Adds a lock, or replaces that of the same target.
   *
   * @return why it was not added; empty if it was
   */
  public Optional<String> add(Lock lock) {
    Optional<String> mistake = mistake(lock);
    if (mistake.isPresent()) {
      return mistake;
    }
    Optional<Network> network = lock.network();
    synchronized (this) {
      boolean isNew = !locks.containsKey(Key.of(lock));
      if (isNew && isFull(network.isPresent())) {
        purge();
        if (isFull(network.isPresent())) {
          return Optional.of("there are too many locks, at most " + MOST + ", and " + MOST_CLIENTS + " of clients");
        }
      }
      network.ifPresent(found -> {
        networks.removeIf(known -> Key.of(known.lock).equals(Key.of(lock)));
        networks.add(new LockedNetwork(found, lock));
      });
      locks.put(Key.of(lock), lock);
    }
    listeners.forEach(listener -> listener.added(lock));
    return Optional.empty();
  }

  /** Returns why no such lock can be added; empty for one that can, if there is room. */
  public static Optional<String> mistake(Lock lock) {
    return lock.target() == Lock.Target.CLIENT && lock.network().isEmpty()
        ? Optional.of("`" + lock.value() + "` is neither an IP address nor a network")
        : lock.network().flatMap(network -> network.isEverything()
            ? Optional.of("`" + lock.value() + "` is everybody: lock smaller networks, or stop the service")
            : Network.correction(lock.value()));
  }

  private boolean isFull(boolean client) {
    return locks.size() >= MOST || client && networks.size() >= MOST_CLIENTS;
  }

  /**
   * Adds a lock, but takes nothing back that an older one of the same target refuses.
   *
   * @return why it was not added; empty if it was
   */
  public Optional<String> addTo(Lock lock) {
    Optional<Lock> known = Optional.ofNullable(locks.get(Key.of(lock))).filter(old -> !old.isOver(clock.instant()));
    return add(known.map(lock::and).orElse(lock));
  }

  /** Removes the lock with this id, and returns it. */
  public Optional<Lock> remove(String id) {
    Optional<Lock> found = locks.values().stream().filter(lock -> lock.id().equals(id)).findFirst();
    found.ifPresent(lock -> {
      forget(lock);
      listeners.forEach(listener -> listener.removed(lock));
    });
    return found;
  }

  private synchronized void forget(Lock lock) {
    locks.remove(Key.of(lock), lock);
    networks.removeIf(known -> known.lock.equals(lock));
  }

  private void purge() {
    locks.values().stream().filter(lock -> lock.isOver(clock.instant())).toList().forEach(this::forget);
  }

  /** Returns the locks in force, the oldest first. */
  public List<Lock> all() {
    purge();
    return locks.values().stream().sorted(Comparator.comparing(Lock::since).thenComparing(Lock::id)).toList();
  }

  /** Returns whether there are none, not even some that are over. */
  public boolean isEmpty() {
    return locks.isEmpty();
  }

  /** Returns the number of locks, perhaps with some that are over. */
  public int size() {
    return locks.size();
  }

  /** Returns the number of locks in force. */
  public int inForce() {
    purge();
    return locks.size();
  }

  @Override
  public void checkClient(Request request) throws Failure {
    if (!networks.isEmpty()) {
      refuse(ofClient(request.candidates()));
    }
  }

  @Override
  public void checkSubject(Subject subject) throws Failure {
    if (!locks.isEmpty()) {
      refuse(ofSubject(subject));
    }
  }

  private static void refuse(Optional<Lock> lock) throws Failure {
    if (lock.isPresent()) {
      throw new Failure.Authentication(MESSAGE,
          lock.get().text() + ", lock " + lock.get().id() + ": " + lock.get().reason());
    }
  }

  /**
   * Returns a lock in force of the network of a client.
   *
   * @param candidates the addresses of which one is the client's
   */
  public Optional<Lock> ofClient(List<InetAddress> candidates) {
    return networks.stream().filter(locked -> candidates.stream().anyMatch(locked.network::contains))
        .map(LockedNetwork::lock).filter(lock -> !lock.isOver(clock.instant())).findFirst();
  }

  /** Returns a lock in force of a subject, its session or its token. */
  public Optional<Lock> ofSubject(Subject subject) {
    for (Subject one : subject.all()) {
      Credential credential = one.credential();
      Optional<Lock> lock = find(one, Lock.Target.SUBJECT, "", one.id())
          .or(() -> find(one, Lock.Target.SUBJECT, credential.issuer(), credential.subject()))
          .or(() -> find(one, Lock.Target.SESSION, "", credential.session()))
          .or(() -> find(one, Lock.Target.SESSION, credential.issuer(), credential.session()))
          .or(() -> find(one, Lock.Target.TOKEN, "", credential.tokenId()))
          .or(() -> find(one, Lock.Target.TOKEN, credential.issuer(), credential.tokenId()))
          .or(() -> ofEmail(one, credential));
      if (lock.isPresent()) {
        return lock;
      }
    }
    return Optional.empty();
  }

  private Optional<Lock> ofEmail(Subject subject, Credential credential) {
    String email = credential.email().toLowerCase(Locale.ROOT);
    return find(subject, Lock.Target.EMAIL, "", email)
        .or(() -> find(subject, Lock.Target.EMAIL, credential.issuer(), email));
  }

  private Optional<Lock> find(Subject subject, Lock.Target target, String issuer, String value) {
    return value.isEmpty() ? Optional.empty()
        : find(subject, new Key(target, issuer, value, false))
            .or(() -> find(subject, new Key(target, issuer, value, true)));
  }

  private Optional<Lock> find(Subject subject, Key key) {
    return Optional.ofNullable(locks.get(key)).filter(lock -> lock.locks(subject) && !lock.isOver(clock.instant()));
  }
}
