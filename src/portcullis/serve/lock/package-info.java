/** Where locks are kept over a restart, and who may set them. */
package portcullis.serve.lock;
