/** Rules: what a rule set file says, and what is made of it with the catalogue and the default rule. */
package portcullis.policy.rule;
