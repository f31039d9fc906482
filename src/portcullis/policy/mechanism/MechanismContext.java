package portcullis.policy.mechanism;

import java.time.InstantSource;
import java.util.Optional;
import portcullis.config.Enforcement;
import portcullis.crypto.apikeys.ApiKeyFiles;
import portcullis.crypto.keys.KeyRings;
import portcullis.crypto.keys.TrustFiles;
import portcullis.observe.telemetry.Log;
import portcullis.policy.cache.UsedOnceMemory;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.limit.Limits;

/**
 * The shared services of mechanisms, all thread safe.
 *
 * @param apiKeys the files of API keys in use
 * @param trust the trust stores and revocation lists of client certificates in use
 * @param logins what logins have in common
 * @param proofs the proofs of possession that were used
 * @param limits what bounds how often something is done
 * @param clock the wall clock, for times that are exchanged with other systems
 * @param steady a clock that only advances, for lifetimes within this process
 * @param strictTemplates whether templates that write values of clients unquoted are errors
 */
public record MechanismContext(EndpointClient caller, KeyRings keys, ApiKeyFiles apiKeys, TrustFiles trust,
    LoginState logins, ProofMemory proofs, Limits limits, Enforcement enforcement, InstantSource clock,
    InstantSource steady, Log log,
    boolean strictTemplates) {
  public MechanismContext(EndpointClient caller, KeyRings keys, Enforcement enforcement, InstantSource clock,
      InstantSource steady, Log log) {
    this(caller, keys, new ApiKeyFiles(), new TrustFiles(), new LoginState(Integer.MAX_VALUE),
        ProofMemory.of(new UsedOnceMemory(clock, steady)), Limits.of(steady, Optional.empty()), enforcement, clock,
        steady, log, false);
  }

  /** Returns a copy for decisions besides those of the service: with their caller, clock and used proofs. */
  public MechanismContext offline(EndpointClient other, InstantSource time, Log silent) {
    return new MechanismContext(other, keys, apiKeys, trust, logins, proofs.separate(new UsedOnceMemory(time, time)),
        limits.separate(time), enforcement, time, steady, silent, false);
  }

  /** Returns a copy with these limits. */
  public MechanismContext with(Limits other) {
    return new MechanismContext(caller, keys, apiKeys, trust, logins, proofs, other, enforcement, clock, steady, log,
        strictTemplates);
  }

  /** Returns a copy that is strict about templates, or not. */
  public MechanismContext withStrictTemplates(boolean strict) {
    return new MechanismContext(caller, keys, apiKeys, trust, logins, proofs, limits, enforcement, clock, steady, log,
        strict);
  }
}
