/** The authorizer types, which allow or refuse a request. */
package portcullis.policy.authorizer;
