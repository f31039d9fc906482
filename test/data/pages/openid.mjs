// The OpenID provider of a page: oidc-provider (npm), at https://login.example.com, with the clients of the pages.
// Usage: node openid.mjs FOLDER MODULES. FOLDER has key.pem and ca.pem; FOLDER/openid-ready says that it serves on 127.0.0.1:443.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, modules] = process.argv.slice(2);
const found = createRequire(pathToFileURL(modules + '/')).resolve('oidc-provider');
const { Provider } = await import(pathToFileURL(found));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

const orders = {
  audience: 'orders',
  scope: 'read',
  accessTokenFormat: 'jwt',
  accessTokenTTL: 300,
  jwt: { sign: { alg: 'RS256' } },
};
const provider = new Provider('https://login.example.com', {
  clients: [{
    client_id: 'orders',
    client_secret: 'orders-secret',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
  }, {
    client_id: 'shop',
    client_secret: 'shop-secret',
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: ['http://localhost:4456/.portcullis/callback'],
    response_types: ['code'],
  }],
  features: {
    clientCredentials: { enabled: true },
    devInteractions: { enabled: false },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => 'https://orders.example.com',
      getResourceServerInfo: () => orders,
    },
  },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: '1', use: 'sig', alg: 'RS256' }] },
});
provider.on('server_error', (_, error) => console.error(error));

const files = { key: createPrivateKey(readFileSync(folder + '/key.pem')).export({ format: 'pem', type: 'pkcs8' }),
  cert: readFileSync(folder + '/ca.pem') };
createServer(files, provider.callback()).listen(443, '127.0.0.1', () => writeFileSync(folder + '/openid-ready', ''));
