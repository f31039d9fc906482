package portcullis.policy.limit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import portcullis.lang.address.Network;
import portcullis.policy.cache.CacheKey;

/**
 * Failed attempts by credential and network: a stranger cannot lock out a user who comes from another network. The
 * memory is bounded, and a network has a share of it: what it tries beyond that counts as one credential, so trying
 * many names frees none, but those that make no difference any more do. Where all is taken, what failed longest ago is
 * forgotten. With a store, all instances count
 * together: it is called after each attempt that failed or was right, once, and what it answers is kept, so that what
 * is locked out is refused without a call. While it does not answer, this instance counts by itself, or refuses;
 * what it has counted is added when it answers again.
 * Thread safe.
 */
public final class Lockouts {
  /** How many credentials of a network are counted one by one. */
  public static final int MOST_OF_NETWORK = 64;
  private static final int MOST = 100_000;
  private static final Duration ASSUMED = Duration.ofMinutes(1);
  /** For as long the store is not called again for a credential that was right. */
  private static final Duration CONFIRMED = Duration.ofSeconds(1);
  private static final int MOST_CONFIRMED = 10_000;
  /** How many credentials that have failed while the store was away are remembered for it. */
  private static final int MOST_MISSED = 10_000;
  private static final CacheKey OTHERS = CacheKey.of("lockout others");

  private final InstantSource clock;
  private final int most;
  private final BooleanSupplier all;
  private final Optional<LockoutStore> store;
  private final boolean denies;
  private final SequencedMap<Id, Instant> confirmed = new LinkedHashMap<>();
  private final SequencedMap<Id, Missed> missed = new LinkedHashMap<>();
  private final SequencedMap<Id, Entry> entries = new LinkedHashMap<>();
  private final Map<Optional<Network>, List<Id>> networks = new HashMap<>();
  private final LongAdder locked = new LongAdder();
  private final LongAdder refused = new LongAdder();

  private record Id(CacheKey credential, Optional<Network> network) {}

  /**
   * What is known of a credential and a network.
   *
   * @param until when the last lockout ends
   * @param over when all of this makes no difference any more
   */
  private record Entry(int failures, Instant since, Instant until, int lockouts, Instant over) {
    static Entry of(int failures, Instant since, Instant until, int lockouts, Lockout settings) {
      Instant over = since.plus(settings.within());
      Instant calm = lockouts == 0 ? until : until.plus(settings.most());
      return new Entry(failures, since, until, lockouts, calm.isAfter(over) ? calm : over);
    }
  }

  /** Failed attempts that the store does not know. */
  private record Missed(int count, Instant last, Lockout settings) {
    Missed and(Missed later) {
      return new Missed(count + later.count, later.last, later.settings);
    }
  }

  /** @param clock that only advances */
  public Lockouts(InstantSource clock) {
    this(clock, MOST, () -> false, Optional.empty(), false);
  }

  private Lockouts(InstantSource clock, int most, BooleanSupplier all, Optional<LockoutStore> store, boolean denies) {
    this.clock = clock;
    this.most = most;
    this.all = all;
    this.store = store;
    this.denies = denies;
  }

  /** Returns what all instances count together. @param denies whether attempts are refused while the store is away */
  public static Lockouts shared(InstantSource clock, LockoutStore store, boolean denies) {
    return new Lockouts(clock, MOST, () -> false, Optional.of(store), denies);
  }

  /** Returns what counts nothing. @param all whether every credential is locked out, or none */
  static Lockouts assumed(InstantSource clock, BooleanSupplier all) {
    return new Lockouts(clock, 0, all, Optional.empty(), false);
  }

  /** Returns for how long a credential is still locked out for a network; empty if it is not. */
  public synchronized Optional<Duration> remaining(CacheKey credential, Optional<Network> network) {
    Entry entry = entries.get(id(credential, network));
    Duration left = entry == null ? ASSUMED : Duration.between(clock.instant(), entry.until);
    if (entry == null && !all.getAsBoolean()) {
      return Optional.empty();
    }
    if (!left.isPositive()) {
      return Optional.empty();
    }
    refused.increment();
    return Optional.of(left);
  }

  /**
   * Records a failed attempt.
   *
   * @return for how long the credential is still locked out, as others had failed meanwhile; empty if it was not
   * @throws RateStore.UnavailableException if it is not known and attempts are refused then
   */
  public Optional<Duration> failed(CacheKey credential, Optional<Network> network, Lockout settings)
      throws RateStore.UnavailableException {
    synchronized (this) {
      confirmed.remove(new Id(credential, network));
    }
    Optional<LockoutStore.State> state = recorded(credential, network, settings, false);
    synchronized (this) {
      if (state.isPresent()) {
        return kept(credential, network, settings, state.get());
      }
      Id id = count(credential, network, settings);
      if (store.isPresent() && !id.credential.equals(OTHERS)) {
        miss(id, new Missed(1, clock.instant(), settings));
      }
      return Optional.empty();
    }
  }

  /**
   * Forgets the failed attempts of a credential that was right.
   *
   * @return for how long it is still locked out, as others have failed meanwhile; empty if it is not
   * @throws RateStore.UnavailableException if it is not known and attempts are refused then
   */
  public Optional<Duration> succeeded(CacheKey credential, Optional<Network> network, Lockout settings)
      throws RateStore.UnavailableException {
    Id id = new Id(credential, network);
    Optional<LockoutStore.State> state = isConfirmed(id) ? Optional.empty()
        : recorded(credential, network, settings, true);
    synchronized (this) {
      if (state.isPresent() && state.get().wasLocked()) {
        return kept(credential, network, settings, state.get());
      }
      Optional<Duration> left = most == 0 ? Optional.empty() : remaining(credential, network);
      if (left.isEmpty()) {
        remove(id);
        missed.remove(id);
        state.ifPresent(_ -> confirm(id));
      }
      return left;
    }
  }

  private synchronized void miss(Id id, Missed failures) {
    if (missed.size() >= MOST_MISSED && !missed.containsKey(id)) {
      missed.pollFirstEntry();
    }
    missed.merge(id, failures, Missed::and);
  }

  /** Adds to the store what has failed while it was away, if it answers again. */
  public void share() {
    for (Optional<Map.Entry<Id, Missed>> next = nextMissed(); next.isPresent(); next = nextMissed()) {
      Id id = next.get().getKey();
      Missed failures = next.get().getValue();
      try {
        LockoutStore.State state = store.orElseThrow()
            .record(id.credential, text(id.network), failures.settings, false);
        if (failures.count > 1 && !state.remaining().isPositive()) {
          miss(id, new Missed(failures.count - 1, failures.last, failures.settings));
        }
      } catch (RateStore.UnavailableException _) {
        miss(id, failures);
        return;
      }
    }
  }

  private synchronized Optional<Map.Entry<Id, Missed>> nextMissed() {
    Instant now = clock.instant();
    missed.values().removeIf(one -> one.last.plus(one.settings.within()).isBefore(now));
    return Optional.ofNullable(missed.pollFirstEntry());
  }

  private static String text(Optional<Network> network) {
    return network.map(Network::toString).orElse("");
  }

  private Optional<LockoutStore.State> recorded(CacheKey credential, Optional<Network> network, Lockout settings,
      boolean right) throws RateStore.UnavailableException {
    if (store.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(store.get().record(credential, text(network), settings, right));
    } catch (RateStore.UnavailableException e) {
      if (denies) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private synchronized boolean isConfirmed(Id id) {
    Instant at = confirmed.get(id);
    return at != null && clock.instant().isBefore(at.plus(CONFIRMED));
  }

  private void confirm(Id id) {
    confirmed.remove(id);
    if (confirmed.size() >= MOST_CONFIRMED) {
      confirmed.pollFirstEntry();
    }
    confirmed.put(id, clock.instant());
  }

  /** Keeps what all instances have counted. */
  private Optional<Duration> kept(CacheKey credential, Optional<Network> network, Lockout settings,
      LockoutStore.State state) {
    Instant now = clock.instant();
    Id own = new Id(credential, network);
    if (id(credential, network).equals(own)) {
      put(own, Entry.of(state.failures(), now, now.plus(state.remaining()), state.lockouts(), settings));
    }
    if (state.begins()) {
      locked.increment();
    }
    if (!state.wasLocked()) {
      return Optional.empty();
    }
    refused.increment();
    return Optional.of(state.remaining());
  }

  private Id count(CacheKey credential, Optional<Network> network, Lockout settings) {
    Instant now = clock.instant();
    Id id = id(credential, network);
    Entry before = entries.get(id);
    boolean isOld = before == null || before.since.plus(settings.within()).isBefore(now);
    int failures = isOld ? 1 : before.failures + 1;
    Instant since = isOld ? now : before.since;
    boolean isCalm = before == null || before.until.plus(settings.most()).isBefore(now);
    int lockouts = isCalm ? 0 : before.lockouts;
    Instant until = before == null ? now : before.until;
    if (failures >= settings.attempts()) {
      locked.increment();
      put(id, Entry.of(0, now, now.plus(settings.time(lockouts)), lockouts + 1, settings));
    } else {
      put(id, Entry.of(failures, since, until, lockouts, settings));
    }
    return id;
  }

  /**
   * The lockouts of a network.
   *
   * @param network empty for clients of which none is known
   * @param credentials how many are locked out
   * @param left until the last of them ends
   */
  public record Current(Optional<Network> network, int credentials, Duration left) {}

  /** Returns what is locked out at this instance, by network. */
  public synchronized List<Current> current() {
    Instant now = clock.instant();
    List<Current> out = new ArrayList<>();
    networks.forEach((network, ids) -> {
      List<Instant> ends = ids.stream().map(id -> entries.get(id).until).filter(now::isBefore).toList();
      ends.stream().max(Comparator.naturalOrder())
          .ifPresent(last -> out.add(new Current(network, ends.size(), Duration.between(now, last))));
    });
    return out;
  }

  /** Returns whether there may be failed attempts of a network; what instances share is not looked up. */
  public synchronized boolean mayHave(Optional<Network> network) {
    return store.isPresent() || networks.containsKey(network);
  }

  /**
   * Forgets all failed attempts and lockouts of a network, those that instances share too; another instance that has
   * refused a credential itself goes on.
   *
   * @return whether there were any
   * @throws RateStore.UnavailableException if the store does not answer; nothing is forgotten then
   */
  public boolean end(Optional<Network> network) throws RateStore.UnavailableException {
    boolean wasShared = store.isPresent() && store.get().forget(text(network));
    synchronized (this) {
      List<Id> ids = List.copyOf(networks.getOrDefault(network, List.of()));
      ids.forEach(this::remove);
      missed.keySet().removeIf(id -> id.network.equals(network));
      return wasShared || !ids.isEmpty();
    }
  }

  /** Returns how often a credential was locked out. */
  public long locked() {
    return locked.sum();
  }

  /** Returns how many attempts were refused as their credential was locked out. */
  public long refused() {
    return refused.sum();
  }

  synchronized int size() {
    return entries.size();
  }

  private Id id(CacheKey credential, Optional<Network> network) {
    Id own = new Id(credential, network);
    if (entries.containsKey(own) || places(network) < MOST_OF_NETWORK) {
      return own;
    }
    Instant now = clock.instant();
    List.copyOf(networks.get(network)).stream().filter(id -> entries.get(id).over.isBefore(now)).forEach(this::remove);
    return places(network) < MOST_OF_NETWORK ? own : new Id(OTHERS, network);
  }

  private int places(Optional<Network> network) {
    return networks.getOrDefault(network, List.of()).size();
  }

  /** Puts it behind all others. */
  private void put(Id id, Entry entry) {
    remove(id);
    if (most == 0) {
      return;
    }
    if (entries.size() >= most) {
      remove(entries.firstEntry().getKey());
    }
    entries.put(id, entry);
    networks.computeIfAbsent(id.network, _ -> new ArrayList<>(1)).add(id);
  }

  private void remove(Id id) {
    if (entries.remove(id) != null) {
      List<Id> ids = networks.get(id.network);
      ids.remove(id);
      if (ids.isEmpty()) {
        networks.remove(id.network);
      }
    }
  }
}
