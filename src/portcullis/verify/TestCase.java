package portcullis.verify;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.lang.source.Origin;
import portcullis.policy.mechanism.Subject;
import portcullis.serve.service.DryRun;

/**
 * A request and what is expected of its decision.
 *
 * @param now what the clock shows; empty for the time of the run
 * @param seed of the random numbers
 * @param stubs of the case itself, then those of its file
 * @param own how many of the stubs are the case's own
 * @param exhausted whether limits refuse the request, if there are any
 * @param subject in place of what the authenticators find out; empty where they run
 */
record TestCase(String name, Origin at, DryRun.Draft request, Optional<Instant> now, long seed, List<Stub> stubs,
    int own, boolean exhausted, Optional<Subject> subject, Expectation expect) {}
