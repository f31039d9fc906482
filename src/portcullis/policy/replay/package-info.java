/**
 * Decides requests without calling remote services: by answers that were recorded or are given. For tests and analyses
 * of rules, replays of the decision log and shadow rules.
 */
package portcullis.policy.replay;
