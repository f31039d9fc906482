/** Locks: subjects, sessions, tokens and clients that are refused whatever rules allow. */
package portcullis.policy.lock;
