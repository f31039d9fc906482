/**
 * API keys of clients. A key is {@code prefix_id_secret}; a file has the SHA-256 of each key, which is enough as the
 * secret has 256 random bits. {@link portcullis.crypto.apikeys.ApiKeyTable} is a file as read, {@link
 * portcullis.crypto.apikeys.ApiKeyFiles} the files in use, {@link portcullis.crypto.apikeys.ApiKeyEdit} what the
 * commands change in them.
 */
package portcullis.crypto.apikeys;
