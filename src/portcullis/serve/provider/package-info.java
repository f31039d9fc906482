/** Where rule sets come from; providers tell changes, somebody else applies them. */
package portcullis.serve.provider;
