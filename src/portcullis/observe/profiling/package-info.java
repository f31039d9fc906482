/** Profiles of this process in pprof's format, from recordings of JDK Flight Recorder. */
package portcullis.observe.profiling;
