package portcullis.policy.mechanism;

import java.time.InstantSource;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyRings;
import portcullis.observe.telemetry.Log;
import portcullis.policy.endpoint.EndpointClient;

/**
 * What mechanisms are made with; all of it outlives them and is thread safe.
 *
 * @param clock the wall clock, for times that others have written or will read
 * @param steady a clock that only advances, for lifetimes within this process
 */
public record MechanismContext(EndpointClient caller, KeyRings keys, Enforcement enforcement, InstantSource clock,
    InstantSource steady, Log log) {}
