/** Bounded caches with expiry for responses of remote services, with keys that cannot collide. */
package portcullis.policy.cache;
