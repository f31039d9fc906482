/**
 * Keys and certificates: PEM key stores and trust stores, the JWS algorithms, JWK, TLS contexts. The JDK demands one
 * subclass each of {@code X509ExtendedKeyManager} ({@link portcullis.crypto.keys.EntryKeyManager}), {@code SNIMatcher}
 * (in {@link portcullis.crypto.keys.ServerTls}) and {@code SecureRandom} (in {@link
 * portcullis.crypto.keys.PublicKeys}).
 */
package portcullis.crypto.keys;
