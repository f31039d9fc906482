/** The registry of mechanism types, and the definitions of a configuration. */
package portcullis.policy.catalogue;
