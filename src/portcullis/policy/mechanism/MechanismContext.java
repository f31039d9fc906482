package portcullis.policy.mechanism;

import java.time.InstantSource;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyRings;
import portcullis.observe.telemetry.Log;
import portcullis.policy.endpoint.EndpointClient;

/**
 * The shared services of mechanisms, all thread safe.
 *
 * @param clock the wall clock, for times that are exchanged with other systems
 * @param steady a clock that only advances, for lifetimes within this process
 */
public record MechanismContext(EndpointClient caller, KeyRings keys, Enforcement enforcement, InstantSource clock,
    InstantSource steady, Log log) {}
