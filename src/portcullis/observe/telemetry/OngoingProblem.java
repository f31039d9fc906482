package portcullis.observe.telemetry;

import java.time.Instant;

/** Something that an operator has to fix and that lasts, in one line without secrets. */
public record OngoingProblem(Instant since, String text) {}
