/** The order in which the steps of a rule run, and what becomes of their failures. */
package portcullis.policy.pipeline;
