/**
 * Changes single lines of the program and looks whether a test notices; {@code build.sh mutate} runs it. Reading and
 * compiling sources needs the compiler of the JDK, tests and their coverage run in processes of their own.
 */
package portcullis.mutation;
