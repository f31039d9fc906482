package portcullis.mechanism;

import java.time.InstantSource;
import portcullis.config.Enforcement;
import portcullis.endpoint.Caller;
import portcullis.keys.KeyRings;
import portcullis.telemetry.Log;

/** What mechanisms are made with; all of it outlives them and is thread safe. */
public record Tools(Caller caller, KeyRings keys, Enforcement enforcement, InstantSource clock, Log log) {}
