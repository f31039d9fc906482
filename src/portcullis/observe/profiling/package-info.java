/**
 * Run-time data of this program in the form that Go's tools read, made of what the JVM records of itself (JDK Flight
 * Recorder).
 */
package portcullis.observe.profiling;
