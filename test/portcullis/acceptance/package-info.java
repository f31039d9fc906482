/** The built image at work, seen from outside. */
package portcullis.acceptance;
