/**
 * Threads of the program itself, beside those of requests. What a thread of any kind throws is reported through the
 * JVM's handler for uncaught exceptions, which the program sets once.
 */
package portcullis.background;
