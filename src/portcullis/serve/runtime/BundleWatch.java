package portcullis.serve.runtime;

import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import portcullis.observe.telemetry.Log;
import portcullis.serve.bundle.Bundle;
import portcullis.serve.bundle.SignatureRequirement;

/**
 * Reports signed bundles in force that end soon, or have ended, as errors: their rules stay, but the next start and
 * each reload of the configuration would fail. For one thread.
 */
final class BundleWatch {
  private final Log log;
  private final ExpiryWatch watch;

  BundleWatch(InstantSource clock, Log log) {
    this.log = log;
    this.watch = new ExpiryWatch(clock, log.ongoing());
  }

  /** @param sets all rule sets in force */
  void check(List<AppliedRules> sets) {
    watch.check(sets.stream().flatMap(set -> item(set).stream()).toList());
  }

  private Optional<ExpiryWatch.Item> item(AppliedRules set) {
    return set.bundle().map(SignatureRequirement.Accepted::bundle).map(bundle -> item(set.source(), bundle));
  }

  private ExpiryWatch.Item item(String source, Bundle bundle) {
    return new ExpiryWatch.Item("expiry of bundle " + source + " " + bundle.counter(),
        "signed bundle " + bundle.counter() + " of " + source, bundle.notBefore(), bundle.notAfter(),
        left -> log.error(left.isPositive() ? "Signed bundle expires soon" : "Signed bundle has expired", "_rule_set",
            source, "_counter", bundle.counter(), "_expires", bundle.notAfter(), "_days_left", left.toDays()));
  }
}
