package portcullis.client;

import java.net.http.HttpClient.Version;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import portcullis.message.Tunnel;
import portcullis.wire.ResponseHead;

/** An answer whose head has come; its body is still to be read, or there is a tunnel. */
record OpenAnswer(ResponseHead head, AnswerBody body, Optional<Tunnel> tunnel, Version version,
    Optional<SSLSession> session) {}
