/**
 * Signed bundles of rules: one file with rule sets and what is to hold for them, signed by several keys. Begin with
 * {@link portcullis.serve.bundle.SignatureRequirement}.
 */
package portcullis.serve.bundle;
