/** What callers of the demo server have to send. */
export const DEMO_LOGINS = ['none', 'key', 'bearer', 'oauth'] as const;
export type DemoLogin = (typeof DEMO_LOGINS)[number];

/** What works with the demo server. They protect nothing: it listens on this machine alone. */
export const DEMO_KEY = 'demo-key';
export const DEMO_TOKEN = 'demo-token';
export const DEMO_CLIENT = { id: 'demo-client', secret: 'demo-secret' };

/** What the server says at its start. */
export const LOGIN_HINTS: Readonly<Record<DemoLogin, string>> = {
  none: 'none needed',
  key: `API key ${DEMO_KEY}`,
  bearer: `bearer token ${DEMO_TOKEN}`,
  oauth: `OAuth client ${DEMO_CLIENT.id}, secret ${DEMO_CLIENT.secret}: holdword auth login`,
};
