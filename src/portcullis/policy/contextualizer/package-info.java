/** The contextualizer types, which get additional data. */
package portcullis.policy.contextualizer;
