/** The one list of mechanism types, and the definitions that a configuration makes of them. */
package portcullis.policy.catalogue;
