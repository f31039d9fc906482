/** The services on their listeners: proxy, decision endpoint, management; and the layers around each. */
package portcullis.serve.service;
