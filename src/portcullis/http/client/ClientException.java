package portcullis.http.client;

/** A failed exchange, by where it failed; every one is an {@link java.io.IOException}. */
public sealed interface ClientException
    permits Unreachable, ConnectLate, NoAnswer, AnswerLate, BadAnswer, BrokenBody, BrokenSource {}
