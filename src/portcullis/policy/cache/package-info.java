/** Answers of remote parties kept for a while: bounded, with expiry, and keys that cannot collide. */
package portcullis.policy.cache;
