package portcullis.serve.bundle;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import portcullis.crypto.keys.KeyFile;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.VerificationKeys;

/**
 * What a bundle must have to be applied; immutable. Key files and the state file are read each time.
 *
 * @param keys PEM files of public Ed25519 keys
 * @param threshold how many of them must have signed
 * @param state the file with the counter of the bundle that was applied last
 * @param rollback whether a lower counter is allowed until a bundle is recorded
 */
public record SignatureRequirement(List<String> keys, int threshold, String state, boolean rollback) {
  private static final Pattern VERSION = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,6}){0,3}.*");

  public SignatureRequirement {
    keys = List.copyOf(keys);
  }

  /**
   * A bundle that may be applied.
   *
   * @param rolledBackFrom the higher counter that was applied before, where that is allowed
   * @param counters gets its counter too when it is recorded
   */
  public record Accepted(Bundle bundle, SignatureRequirement requirement, String digest,
      Optional<Long> rolledBackFrom, KnownCounters counters) {
    /**
     * Records its counter, so that no bundle with a lower one is applied after it.
     *
     * @return whether none was known before, so that any counter was accepted
     */
    public boolean record() throws IOException {
      CounterFile file = new CounterFile(Path.of(requirement.state));
      CounterFile.Entry next = new CounterFile.Entry(bundle.counter(), digest);
      boolean first = false;
      try {
        if (file.read().filter(next::equals).isPresent()) {
          counters.keep(file);
          return false;
        }
        first = counters.last(file).isEmpty();
      } catch (BundleException _) {
        // it was readable when the bundle was checked: it is written again
      }
      counters.write(file, next);
      return first;
    }
  }

  /**
   * Checks everything about a bundle.
   *
   * @param program the version of this program
   * @param counters those that it knows
   */
  public Accepted accept(String text, Instant now, String program, KnownCounters counters) throws BundleException {
    SignedBundle signed = SignedBundle.parse(text);
    Bundle bundle = signed.verified(guardedKeys(), threshold);
    valid(bundle, now, program);
    return new Accepted(bundle, this, signed.digest(), counted(bundle, signed.digest(), counters), counters);
  }

  /** Returns the known counter of a state file that was removed or replaced by an older one, once each time. */
  public Optional<Long> lostCounter(KnownCounters counters) {
    return state.isEmpty() ? Optional.empty() : counters.lost(new CounterFile(Path.of(state)));
  }

  /**
   * @param program the version of this program
   * @throws BundleException if it is not valid yet or any more, or needs a newer program
   */
  public static void valid(Bundle bundle, Instant now, String program) throws BundleException {
    if (now.isBefore(bundle.notBefore())) {
      throw new BundleException("it is not valid before " + bundle.notBefore());
    }
    if (!now.isBefore(bundle.notAfter())) {
      throw new BundleException("it has expired: it was valid until " + bundle.notAfter());
    }
    if (bundle.minimumVersion().filter(minimum -> isOlder(program, minimum)).isPresent()) {
      throw new BundleException("it needs version " + bundle.minimumVersion().get() + ", this is " + program);
    }
  }

  /** Returns the counter before a rollback that is allowed; empty where the counter has not fallen. */
  private Optional<Long> counted(Bundle bundle, String digest, KnownCounters counters) throws BundleException {
    Optional<CounterFile.Entry> before = state.isEmpty() ? Optional.empty()
        : counters.last(new CounterFile(Path.of(state)));
    if (before.isEmpty() || before.get().counter() < bundle.counter()
        || before.get().equals(new CounterFile.Entry(bundle.counter(), digest))) {
      return Optional.empty();
    }
    boolean first = !counters.hasRecorded(new CounterFile(Path.of(state)));
    if (rollback && first) {
      return before.map(CounterFile.Entry::counter);
    }
    throw new BundleException(before.get().counter() == bundle.counter()
        ? "its counter " + bundle.counter() + " is that of another bundle, which was applied before"
        : "its counter " + bundle.counter() + " is lower than " + before.get().counter()
            + ", that of the bundle applied last (`--allow-rollback` permits it"
            + (rollback ? " for the first bundle after a start)" : ")"));
  }

  /** Reads the keys, but refuses those that every user may replace: any of them could sign bundles then. */
  private List<PublicKey> guardedKeys() throws BundleException {
    List<PublicKey> out = publicKeys(keys);
    for (String file : keys) {
      Path folder = Path.of(file).toAbsolutePath().normalize().getParent();
      if (KeyFile.isFolderOfAll(folder)) {
        throw new BundleException("everybody may replace the key file `" + file + "` in `" + folder
            + "`; `chmod o-w` that folder, and make sure that the key is right");
      }
    }
    return out;
  }

  /** Reads the keys of all files. */
  public static List<PublicKey> publicKeys(List<String> files) throws BundleException {
    List<PublicKey> out = new ArrayList<>();
    for (String file : files) {
      try {
        out.addAll(VerificationKeys.ed25519(Path.of(file)));
      } catch (KeyMaterialException | InvalidPathException e) {
        throw new BundleException(e.getMessage());
      }
    }
    return out;
  }

  /** Returns whether a version is older than another; one that is not numbers, of a build without a version, is not. */
  private static boolean isOlder(String version, String minimum) {
    if (!VERSION.matcher(version).matches()) {
      return false;
    }
    return Arrays.compare(parts(version), parts(minimum)) < 0;
  }

  private static int[] parts(String version) {
    int[] numbers = Pattern.compile("[^0-9.].*").matcher(version).replaceFirst("").lines()
        .flatMap(line -> Arrays.stream(line.split("\\."))).mapToInt(Integer::parseInt).toArray();
    return Arrays.copyOf(numbers, 4);
  }
}
