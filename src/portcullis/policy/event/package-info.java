/** What issuers report of sessions that have ended: logout tokens and security events, which become locks. */
package portcullis.policy.event;
