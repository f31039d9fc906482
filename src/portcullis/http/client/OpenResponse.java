package portcullis.http.client;

import java.net.http.HttpClient.Version;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import portcullis.http.message.Tunnel;
import portcullis.http.wire.ResponseHead;

/** A response whose head has been received; its body is not read yet, or it is a tunnel. */
record OpenResponse(ResponseHead head, ResponseBody body, Optional<Tunnel> tunnel, Version version,
    Optional<SSLSession> session) {}
