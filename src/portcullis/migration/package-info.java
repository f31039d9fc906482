/** Which documented differences from heimdall touch a configuration and its rule sets. */
package portcullis.migration;
