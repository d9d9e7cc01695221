import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startWebServer, type WebServer } from '@holdword/client/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../config.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { TargetCredentials } from './target-credentials.ts';

function credentials(
  target: object,
  environment: Record<string, string> = {},
  logged: string[] = [],
): TargetCredentials {
  const { targets } = readConfig({ targets: [{ alias: 'a', baseUrl: 'https://a.example', ...target }] });
  const [configured] = targets;
  if (configured === undefined) throw new Error('there is a target');
  const opened = new TargetCredentials(configured, {
    environment,
    logger: { info: () => {}, warn: (line) => logged.push(line) },
  });
  onTestFinished(() => opened.close());
  return opened;
}

async function secretFile(content: string): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'secret'), content);
  return join(folder, 'secret');
}

describe('headers', () => {
  test.each([
    ['a bearer token', { type: 'bearer', token: '${TOKEN}' }, { Authorization: 'Bearer t-1' }],
    [
      'a name and a password',
      { type: 'basic', username: 'u', password: '${TOKEN}' },
      { Authorization: 'Basic dTp0LTE=' },
    ],
    ['a custom header', { type: 'header', name: 'X-Api-Key', value: 'k-${TOKEN}' }, { 'X-Api-Key': 'k-t-1' }],
  ])('for %s', async (_name, auth, headers) => {
    const opened = credentials(
      { auth, serviceParameters: { 'X-Team': '${TEAM}' } },
      { TOKEN: 't-1', TEAM: 'red' },
    );
    expect(await opened.headers()).toEqual({ 'X-Team': 'red', ...headers });
  });

  test('from a file, without the trailing line break', async () => {
    const file = await secretFile('t-2\n');
    expect(await credentials({ auth: { type: 'bearer', token: { file } } }).headers()).toEqual({
      Authorization: 'Bearer t-2',
    });
  });

  test('are empty without credentials and service parameters', async () => {
    expect(credentials({}).isEmpty).toBe(true);
    expect(await credentials({}).headers()).toEqual({});
  });

  test('are read again after the agent rejected them', async () => {
    const file = await secretFile('old');
    const opened = credentials({ auth: { type: 'bearer', token: { file } } });
    await opened.headers();
    await writeFile(file, 'new');
    expect(await opened.headers()).toEqual({ Authorization: 'Bearer old' });
    opened.invalidate();
    expect(await opened.headers()).toEqual({ Authorization: 'Bearer new' });
  });
});

describe('the error about a missing secret contains no path and no value; the log has the path', () => {
  test('environment variable', async () => {
    await expect(
      credentials({ auth: { type: 'bearer', token: '${TOKEN}' } }).headers(),
    ).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message:
        'The setting auth.token of target "a" needs the environment variable TOKEN, which is not set. Set it and restart.',
    });
  });

  test.each([
    ['no file', undefined, 'could not be read'],
    ['an empty file', '\n', 'is empty'],
    ['a file with several lines', 'secret-a\nsecret-b', 'has more than one line'],
  ])('%s', async (_name, content, text) => {
    const file = content === undefined ? '/nowhere/secret' : await secretFile(content);
    const logged: string[] = [];
    const failed = await credentials({ auth: { type: 'bearer', token: { file } } }, {}, logged)
      .headers()
      .catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining(text) as string,
    });
    expect(failed).not.toMatchObject({ message: expect.stringMatching(/nowhere|secret-|\/tmp/) as string });
    expect(logged).toEqual([expect.stringContaining(`auth.token of target "a": ${file} ${text}`)]);
  });
});

async function startTokens(seconds: number): Promise<WebServer & { bodies: string[] }> {
  const bodies: string[] = [];
  const server = await startWebServer((request, response) => {
    const answer = async (): Promise<void> => {
      bodies.push(Buffer.concat(await request.toArray()).toString());
      response.end(JSON.stringify({ access_token: `t-${bodies.length}`, expires_in: seconds }));
    };
    void answer();
  });
  return { ...server, bodies };
}

function oauth(tokenUrl: string): object {
  return {
    type: 'oauth2',
    tokenUrl,
    clientId: 'holdword',
    clientSecret: '${SECRET}',
    scope: 'agents:call',
  };
}

describe('OAuth client credentials', () => {
  test('are exchanged once for all waiting calls, and again after a rejection', async () => {
    const server = await startTokens(3600);
    const opened = credentials({ auth: oauth(`${server.origin}/token`) }, { SECRET: 's e' });
    expect(await Promise.all([opened.headers(), opened.headers()])).toEqual([
      { Authorization: 'Bearer t-1' },
      { Authorization: 'Bearer t-1' },
    ]);
    expect(server.bodies).toEqual(['grant_type=client_credentials&scope=agents%3Acall']);
    const basic = Buffer.from('holdword:s%20e').toString('base64');
    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${basic}`);
    opened.invalidate();
    expect(await opened.headers()).toEqual({ Authorization: 'Bearer t-2' });
  });

  test('are exchanged again shortly before the token expires', async () => {
    const server = await startTokens(20);
    const opened = credentials({ auth: oauth(server.origin) }, { SECRET: 's' });
    expect(await opened.headers()).toEqual({ Authorization: 'Bearer t-1' });
    expect(await opened.headers()).toEqual({ Authorization: 'Bearer t-2' });
  });

  test('that are rejected give an error without the secret', async () => {
    const server = await startWebServer((_request, response) =>
      response.writeHead(400).end('{"error":"s-1"}'),
    );
    const opened = credentials({ auth: oauth(server.origin) }, { SECRET: 's-1' });
    const failed = await opened.headers().catch((error: unknown) => error);
    expect(failed).toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('HTTP status 400') as string,
    });
    expect(failed).not.toMatchObject({ message: expect.stringContaining('s-1') as string });
  });
});
