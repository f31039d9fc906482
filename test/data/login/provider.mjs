// An OpenID provider (oidc-provider of npm) with its own pages for sign-in and consent, at http://localhost:PORT.
// Usage: node provider.mjs MODULES PORT ORIGIN [backchannel | SECONDS]
// With `backchannel` it tells the application at the origin which sessions have ended. Access tokens live for the seconds.
// Each refresh token is used once: it prints `refreshed`, and `refused` for another use, which ends the grant.
import { generateKeyPairSync } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [modules, port, origin, option] = process.argv.slice(2);
const backchannel = option === 'backchannel';
const found = createRequire(pathToFileURL(modules + '/')).resolve('oidc-provider');
const { Provider } = await import(pathToFileURL(found));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const provider = new Provider(`http://localhost:${port}`, {
  clients: [{
    client_id: 'shop',
    client_secret: 'shop-secret',
    redirect_uris: [origin + '/.portcullis/callback'],
    post_logout_redirect_uris: [origin + '/.portcullis/logout'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(backchannel && {
      backchannel_logout_uri: origin + '/.portcullis/backchannel-logout',
      backchannel_logout_session_required: true,
    }),
  }],
  claims: { openid: ['sub'], email: ['email'] },
  conformIdTokenClaims: false,
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@shop.example` }) }),
  features: {
    devInteractions: { enabled: true },
    pushedAuthorizationRequests: { enabled: true },
    rpInitiatedLogout: { enabled: true },
    backchannelLogout: { enabled: backchannel },
  },
  issueRefreshToken: () => true,
  rotateRefreshToken: () => true,
  pkce: { required: () => true },
  ttl: { AccessToken: Number(option) || 12, Session: 3600, Grant: 3600, IdToken: 3600, Interaction: 3600, RefreshToken: 3600 },
  cookies: { keys: ['a key for tests only'] },
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }), // by default it calls no local addresses
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }] },
});
provider.on('server_error', (_, error) => console.error(error));
provider.on('grant.error', (context, error) => {
  console.error(context.oidc.params?.grant_type === 'refresh_token' ? 'refused' : error);
});
provider.on('grant.success', (context) => {
  if (context.oidc.params.grant_type === 'refresh_token') console.log('refreshed');
});
provider.on('backchannel.error', (_, error) => console.error(error));
provider.listen(Number(port), '127.0.0.1', () => console.log('the provider serves'));
