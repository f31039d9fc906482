/**
 * Passwords of users. A file has a hash of each password, {@link portcullis.crypto.passwords.Argon2id} (RFC 9106) or
 * {@link portcullis.crypto.passwords.Bcrypt}. {@link portcullis.crypto.passwords.UserTable} is a file as read; {@link
 * portcullis.crypto.passwords.PasswordChecks} bounds what verification costs the whole process.
 */
package portcullis.crypto.passwords;
