/**
 * The small world of the demonstration, all of it on the loopback interface: an identity service (login page, sessions,
 * key set, tokens), a relation service that speaks OpenFGA's check and list-objects, and an upstream that shows what
 * reached it. {@link portcullis.demo.World} starts it. Nothing here is for production: there are no passwords, and
 * nothing is kept.
 */
package portcullis.demo;
