package portcullis.http.client;

/** What goes wrong in an exchange, by whose fault it is; every one is an {@link java.io.IOException}. */
public sealed interface ClientFault
    permits Unreachable, ConnectLate, NoAnswer, AnswerLate, BadAnswer, BrokenBody, BrokenSource {}
