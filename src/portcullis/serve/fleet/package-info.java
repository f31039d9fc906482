/**
 * Several instances act as one: what is locked on one of them is locked on all, and each knows which others there are.
 * They share it through Redis, which no request waits for.
 */
package portcullis.serve.fleet;
