package portcullis.http.client;

/** A failed exchange, by where it failed; every one is an {@link java.io.IOException}. */
public sealed interface ClientException
    permits UnreachableException, ConnectTimeoutException, NoResponseException, ResponseTimeoutException,
    InvalidResponseException, ResponseBodyException, RequestBodyException {}
