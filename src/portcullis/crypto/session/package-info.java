/** Keys that seal sessions: read from files, with rotation. */
package portcullis.crypto.session;
