/**
 * Verifies rules before they run: test cases in {@code *_test.yaml} are decided by the decider that serves requests,
 * with a fixed clock and with stubs in place of remote services.
 */
package portcullis.verify;
