/**
 * JSON Web Tokens: parsing within limits, verifying, checking claims, signing (RFC 7515, 7519, 8725). A token's
 * signature counts before its claims do: only {@link portcullis.crypto.jwt.Verification} makes a {@link
 * portcullis.crypto.jwt.VerifiedToken}. Signatures are those of {@link portcullis.crypto.keys.Algorithm}; everything
 * here is pure and safe for all threads.
 */
package portcullis.crypto.jwt;
