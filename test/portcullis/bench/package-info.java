/**
 * How the service's costs grow with its rules, with bodies and with connections, as a picture; {@code build.sh bench}
 * runs it.
 */
package portcullis.bench;
