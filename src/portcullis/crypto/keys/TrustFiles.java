package portcullis.crypto.keys;

/** The files that decide which client certificates are accepted: trust stores and revocation lists. Thread safe. */
public record TrustFiles(LiveFiles<TrustStore> stores, LiveFiles<RevocationLists> revocations) {
  public TrustFiles() {
    this(new LiveFiles<>(TrustStore::read), new LiveFiles<>(RevocationLists::read));
  }
}
