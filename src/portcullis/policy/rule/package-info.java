/** Rules: reads rule set files and builds the pipelines of their rules from the catalogue and the default rule. */
package portcullis.policy.rule;
