package portcullis.http.client;

import java.net.http.HttpClient.Version;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ResponseHead;

/** An answer whose head has come; its body is still to be read, or there is a tunnel. */
record OpenResponse(ResponseHead head, ResponseBody body, Optional<Tunnel> tunnel, Version version,
    Optional<SSLSession> session) {}
