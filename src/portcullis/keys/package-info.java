/**
 * Keys and certificates: PEM key stores and trust stores, the JWS algorithms, JWK, TLS contexts. The JDK demands one subclass
 * each of {@code X509ExtendedKeyManager} ({@link portcullis.keys.EntryKeyManager}), {@code SNIMatcher} (in
 * {@link portcullis.keys.ServerTls}) and {@code SecureRandom} (in {@link portcullis.keys.PublicKeys}).
 */
package portcullis.keys;
