/** The types of contextualizers: what else has to be known. */
package portcullis.policy.contextualizer;
