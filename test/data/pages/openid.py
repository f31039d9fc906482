"""Stands in for the OpenID provider of a page where oidc-provider is not installed: metadata, keys and the client
credentials grant, at https://login.example.com.

Usage: openid.py FOLDER. FOLDER has key.pem and ca.pem; FOLDER/openid-ready says that it serves on 127.0.0.1:443.
"""
import base64
import http.server
import json
import ssl
import subprocess
import sys
import time

ISSUER = "https://login.example.com"
folder = sys.argv[1]
key, certificate = folder + "/key.pem", folder + "/ca.pem"


def openssl(*arguments, data=None):
    return subprocess.run(["openssl", *arguments], input=data, check=True, capture_output=True).stdout


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


modulus = openssl("rsa", "-in", key, "-noout", "-modulus").decode().strip().split("=")[1]
KEYS = {"keys": [{"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256", "n": encoded(bytes.fromhex(modulus)), "e": "AQAB"}]}
METADATA = {"issuer": ISSUER, "jwks_uri": ISSUER + "/jwks", "token_endpoint": ISSUER + "/token",
            "authorization_endpoint": ISSUER + "/auth", "code_challenge_methods_supported": ["S256"]}


def token():
    now = int(time.time())
    claims = {"iss": ISSUER, "sub": "orders", "aud": "orders", "iat": now, "exp": now + 300}
    parts = [encoded(json.dumps(part).encode()) for part in ({"alg": "RS256", "kid": "1"}, claims)]
    signed = ".".join(parts)
    return signed + "." + encoded(openssl("dgst", "-sha256", "-sign", key, data=signed.encode()))


class Handler(http.server.BaseHTTPRequestHandler):
    def reply(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        known = {"/jwks": KEYS, "/.well-known/openid-configuration": METADATA}
        self.reply(known.get(self.path, {}), 200 if self.path in known else 404)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        client = base64.b64encode(b"orders:orders-secret").decode()
        good = body == "grant_type=client_credentials" and self.headers["Authorization"] == "Basic " + client
        self.reply({"access_token": token(), "token_type": "Bearer"} if good else {"error": "invalid_client"},
                   200 if good else 401)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 443), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
open(folder + "/openid-ready", "w").close()
server.serve_forever()
