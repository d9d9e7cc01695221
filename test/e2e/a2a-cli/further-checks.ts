import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startCuttingProxy } from '../client/cutting-proxy.ts';
import { makeCertificate } from '../client/make-certificate.ts';
import { startDemoServer } from './agents.ts';
import type { Check, Checks } from './check.ts';
import { at, lines, parsed, type Tool } from './tool.ts';

const CLIENT = { A2ACLI_CLIENT_ID: 'demo-client', A2ACLI_CLIENT_SECRET: 'demo-secret' };

async function withSecured(login: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = await startDemoServer('--login', login);
  try {
    await use(server.url);
  } finally {
    await server.close();
  }
}

/** Logs in with a code, and confirms it as a browser would. */
async function logInWithDevice(tool: Tool, url: string, scheme: string): Promise<void> {
  const page = Promise.withResolvers<string>();
  const main = join(import.meta.dirname, '..', '..', '..', 'packages', 'cli', 'src', 'main.ts');
  const words = [
    main,
    'auth',
    'login',
    '-a',
    url,
    '--flow',
    'device',
    '--scheme',
    scheme,
    '--client-id',
    'demo-client',
  ];
  const login = spawn(process.execPath, words, {
    env: { PATH: process.env['PATH'], HOME: tool.folder, NODE_NO_WARNINGS: '1' },
  });
  let errors = '';
  login.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
    const [, shown] = /Open (\S+) and confirm the code/.exec(errors) ?? [];
    if (shown !== undefined) page.resolve(shown);
  });
  const ended = once(login, 'close');
  void ended.then(() => page.reject(new Error(`the login ended without a code: ${errors}`)));
  await fetch(await page.promise, { method: 'POST' });
  const [code] = (await ended) as [number | null];
  expect(code, errors).toBe(0);
}

async function sendWorks(tool: Tool, url: string): Promise<void> {
  const sent = await tool.run(['send', 'echo hello', '-a', url, '-o', 'json']);
  expect(at(parsed(sent), 'task.status.state'), sent.out).toBe('TASK_STATE_COMPLETED');
}

const subscribeAfterCut: Check['run'] = async (context) => {
  const { run, json, tool, agent } = context;
  const id = String(at(await json('send', '--async', agent.words.slow), 'task.id'));
  const { port } = new URL(agent.url);
  const proxy = await startCuttingProxy({ port: Number(port) });
  const file = await context.cardFile(
    'cut.json',
    (card) => JSON.parse(JSON.stringify(card).replaceAll(`:${port}/`, `:${proxy.port}/`)) as object,
  );
  const words = ['task', 'subscribe', id, '--stream', '-o', 'json', '--transport', 'jsonrpc', '-a', file];
  const following = tool.run([...words, ...agent.options]);
  await expect.poll(() => (proxy.cutAll(), proxy.cuts()), { timeout: 30_000 }).toBeGreaterThan(0);
  await run('task', 'cancel', id);
  const events = lines(await following);
  const last = events.at(-1);
  expect(at(last, 'statusUpdate.status.state') ?? at(last, 'task.status.state')).toBe('TASK_STATE_CANCELED');
  const states = events.map(
    (event) => at(event, 'statusUpdate.status.state') ?? at(event, 'task.status.state'),
  );
  expect(states.filter((state) => state === 'TASK_STATE_CANCELED')).toHaveLength(1);
};

/** What Tiers 2 and 3 ask for. */
export const FURTHER_CHECKS: Checks = {
  A2ACLI_CARD_GET_002: {
    on: 'every',
    async run(context) {
      const { run, tool, agent } = context;
      expect((await run('card', 'get', '--validate')).code).toBe(agent.isLegacy ? 1 : 0);
      const file = await context.cardFile('broken.json', () => ({ skills: 'none' }));
      const broken = await tool.run([
        'card',
        'get',
        '--validate',
        '-a',
        file,
        '-o',
        'json',
        ...agent.options,
      ]);
      expect(at(parsed(broken), 'error.code')).toBe('A2ACLI_ERR_CARD_INVALID');
    },
  },
  A2ACLI_TASK_LIST_001: {
    on: 'current',
    async run({ json, agent }) {
      const sent = await json('send', agent.words.echo);
      const contextId = String(at(sent, 'task.contextId'));
      await json('send', '--context-id', contextId, agent.words.echo);
      const first = await json(
        'task',
        'list',
        '--context-id',
        contextId,
        '--status',
        'completed',
        '--page-size',
        '1',
      );
      expect(at(first, 'tasks')).toHaveLength(1);
      const token = String(at(first, 'nextPageToken'));
      expect(token).not.toBe('');
      const second = await json(
        'task',
        'list',
        '--context-id',
        contextId,
        '--page-size',
        '1',
        '--page-token',
        token,
      );
      expect(at(second, 'tasks.0.id')).not.toBe(at(first, 'tasks.0.id'));
      expect(
        at(await json('task', 'list', '--context-id', contextId, '--status', 'failed'), 'tasks'),
      ).toHaveLength(0);
    },
  },
  A2ACLI_TASK_SUBSCRIBE_001: {
    on: 'every',
    async run({ run, json, agent }) {
      const id = String(at(await json('send', '--async', agent.words.slow), 'task.id'));
      const following = json('task', 'subscribe', id);
      await run('task', 'cancel', id);
      expect(at(await following, 'status.state')).toBe('TASK_STATE_CANCELED');
    },
  },
  A2ACLI_TASK_SUBSCRIBE_002: { on: 'every', run: subscribeAfterCut },
  A2ACLI_AUTH_005: {
    on: 'own',
    run: ({ tool }) =>
      withSecured('oauth', async (url) => {
        await logInWithDevice(tool, url, 'device');
        await sendWorks(tool, url);
      }),
  },
  A2ACLI_AUTH_006: {
    on: 'own',
    run: ({ tool }) =>
      withSecured('oauth', async (url) => {
        const login = await tool.run(['auth', 'login', '-a', url, '--flow', 'client-credentials'], CLIENT);
        expect(login.code, login.errors).toBe(0);
        await sendWorks(tool, url);
      }),
  },
  A2ACLI_AUTH_007: {
    on: 'own',
    run: ({ tool }) =>
      withSecured('oauth', async (url) => {
        const login = parsed(await tool.run(['auth', 'login', '-a', url, '-o', 'json'], CLIENT));
        const file = String(at(login, 'file'));
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        const token = String(
          Object.values(at(JSON.parse(await readFile(file, 'utf8')), 'tokens') as object)
            .map((each) => at(each, 'accessToken'))
            .at(-1),
        );
        const sent = await tool.run(['send', 'echo hello', '-a', url, '--debug']);
        expect(sent.code).toBe(0);
        expect(sent.errors + sent.out).not.toContain(token);
        expect((await tool.run(['auth', 'status'])).out).toContain('State: valid');
        await tool.run(['auth', 'logout', '-a', url]);
        expect((await tool.run(['send', 'echo hello', '-a', url])).code).toBe(4);
      }),
  },
  A2ACLI_TX_004: {
    on: 'current',
    async run({ run, agent }) {
      for (const binding of ['jsonrpc', 'rest']) {
        expect((await run('send', agent.words.echo, '--transport', binding)).code).toBe(0);
      }
    },
  },
  A2ACLI_VER_003: {
    on: 'every',
    async run(context) {
      const { tool, agent } = context;
      const file = await context.cardFile('poor.json', () => ({ capabilities: {} }));
      const on = (...words: string[]) =>
        tool.run([...words, '-a', file, ...agent.options, '-o', 'json', '--debug']);
      const sent = await on('send', agent.words.echo, '--stream');
      expect(sent.errors).not.toContain('sendStreamingMessage');
      const push = await on('task', 'push-config', 'list', 'some-task');
      expect(at(parsed(push), 'error.code')).toBe('PushNotificationNotSupportedError');
      const extended = await on('card', 'get', '--extended');
      expect(at(parsed(extended), 'error.code')).toBe('UnsupportedOperationError');
    },
  },
  A2ACLI_CONFIG_002: {
    on: 'own',
    async run({ tool, agent }) {
      const card = `A2ACLI_AGENT_CARD=${agent.url}\n`;
      await writeFile(join(tool.folder, '.env'), `${card}A2ACLI_OUTPUT=json\n`);
      expect(at(parsed(await tool.run(['send', 'echo hello'])), 'task.id')).toEqual(expect.any(String));
      expect((await tool.run(['send', 'echo hello'], { A2ACLI_OUTPUT: 'text' })).out).toMatch(/^Task ID: /);
      const forced = await tool.run(['send', 'echo hello', '-o', 'json'], { A2ACLI_OUTPUT: 'text' });
      expect(parsed(forced)).toHaveProperty('task');
      await writeFile(join(tool.folder, 'other.env'), card);
      expect((await tool.run(['send', 'echo hello', '--config', 'other.env'])).out).toMatch(/^Task ID: /);
      const shown = await tool.run(['config', 'show', '--calls'], { A2ACLI_TIMEOUT: '7s' });
      expect(shown.out).toMatch(/timeout +7s +A2ACLI_TIMEOUT/);
      expect(shown.out).toMatch(/output +json +\S+\.env/);
      await writeFile(join(tool.folder, '.env'), '');
    },
  },
  A2ACLI_DOWNLOAD_001: {
    on: 'every',
    async run({ json, tool, agent }) {
      const id = String(at(await json('send', agent.words.echo), 'task.id'));
      const saved = await json('task', 'download', id, '--out', `files-${agent.id}`);
      expect(at(saved, 'files')).toHaveLength(1);
      const [name = ''] = await readdir(join(tool.folder, `files-${agent.id}`));
      expect(await readFile(join(tool.folder, `files-${agent.id}`, name), 'utf8')).toContain('hello');
    },
  },
  A2ACLI_OUT_007: {
    on: 'every',
    async run({ run, agent }) {
      const { errors } = await run('send', agent.words.echo, '--debug', '--transport', 'jsonrpc');
      expect(errors).toMatch(/^debug: > \{"jsonrpc":"2\.0"/m);
      expect(errors).toMatch(/^debug: < HTTP 200 after \d+ ms/m);
    },
  },
  A2ACLI_CONFORM_001: {
    on: 'current',
    async run({ json, agent }) {
      const result = await json('conformance', '--message', agent.words.echo);
      expect(at(result, 'suite')).toContain('not the official test suite');
      expect(at(result, 'summary.pass')).toBeGreaterThan(10);
      if (agent.isOwn)
        expect(at(result, 'results'), JSON.stringify(result)).not.toContainEqual(
          expect.objectContaining({ outcome: 'fail' }),
        );
    },
  },
  A2ACLI_CLI_002: {
    on: 'own',
    async run({ tool }) {
      for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
        const { code, out, errors } = await tool.run(['completion', shell]);
        expect({ code, errors }).toEqual({ code: 0, errors: '' });
        expect(out).toContain('push-config');
      }
      expect((await tool.run(['completion', 'tcsh'])).code).toBe(2);
    },
  },
  A2ACLI_PUSH_001: {
    on: 'own',
    async run({ json, run }) {
      const id = String(at(await json('send', '--async', 'wait 600'), 'task.id'));
      const created = await json('task', 'push-config', 'create', id, '--url', 'http://127.0.0.1:4311/');
      const configId = String(at(created, 'id'));
      expect(at(await json('task', 'push-config', 'get', id, configId), 'url')).toBe(
        'http://127.0.0.1:4311/',
      );
      expect(at(await json('task', 'push-config', 'list', id), 'configs')).toHaveLength(1);
      expect((await run('task', 'push-config', 'delete', id, configId)).code).toBe(0);
      expect(at(await json('task', 'push-config', 'list', id), 'configs')).toHaveLength(0);
      await run('task', 'cancel', id);
    },
  },
  A2ACLI_CARD_GET_003: {
    on: 'own',
    run: ({ tool }) =>
      withSecured('key', async (url) => {
        const words = ['card', 'get', '--extended', '-a', url, '-o', 'json'];
        expect(at(parsed(await tool.run(words)), 'error.code')).toBe('A2ACLI_ERR_CREDENTIALS_MISSING');
        const card = parsed(await tool.run(words, { A2ACLI_API_KEY: 'demo-key' }));
        expect(at(card, 'description')).toContain('You are logged in.');
      }),
  },
  A2ACLI_CARD_GET_004: {
    on: 'every',
    async run(context) {
      const { run, tool, agent } = context;
      const { out } = await run('card', 'get');
      expect(out).toMatch(agent.isOwn ? /^Signature: verified$/m : /^Signature: absent$/m);
      if (!agent.isOwn) return;
      const changed = await context.cardFile('changed.json', () => ({ description: 'Changed.' }));
      const other = await tool.run(['card', 'get', '-a', changed]);
      expect(other.code).toBe(0);
      expect(other.out).toMatch(/^Signature: unverifiable$/m);
      expect(other.errors).toContain('Warning: The signature of the card was not verified');
    },
  },
  A2ACLI_CARD_GET_005: {
    on: 'every',
    async run({ tool, agent }) {
      const catalog = join(tool.folder, 'catalog.json');
      await writeFile(
        catalog,
        JSON.stringify([{ id: 'mine', cardUrl: `${agent.url}/.well-known/agent-card.json` }]),
      );
      const sent = await tool.run(['send', agent.words.echo, '-a', `${catalog}#mine`, ...agent.options]);
      expect(sent.out, sent.errors).toContain('TASK_STATE_COMPLETED');
      const missing = await tool.run(['send', 'x', '-a', `${catalog}#other`, '-o', 'json', ...agent.options]);
      expect(at(parsed(missing), 'error.code')).toBe('A2ACLI_ERR_CARD_NOT_FOUND');
      if (!agent.isOwn) return;
      const published = parsed(await tool.run(['card', 'get', '-a', `${agent.url}#`, '-o', 'json']));
      expect(at(published, 'name')).toBe('Holdword demo server');
    },
  },
  A2ACLI_AUTH_008: {
    on: 'open',
    async run({ run, agent }) {
      const { errors } = await run('send', agent.words.echo, '--bearer', 'not-for-you', '--debug');
      expect(errors).toContain(
        'Warning: The bearer token was not sent: no security scheme of the card takes one.',
      );
      expect(errors).not.toContain('Authorization');
    },
  },
  A2ACLI_AUTH_009: {
    on: 'own',
    async run({ json, tool, agent }) {
      const authority = makeCertificate('authority.example');
      const server = makeCertificate('localhost', authority);
      const client = makeCertificate('client.example', authority);
      const card = (await json('card', 'get')) as object;
      const names: string[] = [];
      const web = createServer(
        {
          key: server.key,
          cert: server.cert,
          ca: authority.cert,
          requestCert: true,
          rejectUnauthorized: true,
        },
        (request, response) => {
          names.push(
            String(
              at(
                (request.socket as unknown as { getPeerCertificate(): unknown }).getPeerCertificate(),
                'subject.CN',
              ),
            ),
          );
          response.end(JSON.stringify(card));
        },
      );
      await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
      try {
        for (const [file, text] of [
          ['ca.pem', authority.cert],
          ['client.pem', client.cert],
          ['client.key', client.key],
        ] as const)
          await writeFile(join(tool.folder, file), text);
        const url = `https://localhost:${(web.address() as AddressInfo).port}`;
        const words = ['card', 'get', '-a', url, '--ca-cert', 'ca.pem'];
        expect((await tool.run(words)).code).toBe(3);
        const known = await tool.run([...words, '--client-cert', 'client.pem', '--client-key', 'client.key']);
        expect(known.code, known.errors).toBe(0);
        expect(names).toEqual(['client.example']);
        expect(agent.isOwn).toBe(true);
      } finally {
        web.closeAllConnections();
        web.close();
      }
    },
  },
  A2ACLI_AUTH_010: {
    on: 'own',
    run: ({ tool }) =>
      withSecured('oauth', async (url) => {
        await logInWithDevice(tool, url, 'openid');
        await sendWorks(tool, url);
      }),
  },
  A2ACLI_AUTH_011: {
    on: 'own',
    async run({ json }) {
      const asked = await json('send', 'login');
      const id = String(at(asked, 'task.id'));
      expect(at(asked, 'task.status.state')).toBe('TASK_STATE_AUTH_REQUIRED');
      const following = json('task', 'subscribe', id);
      const resolved = await json('send', '--task-id', id, 'done');
      expect(at(resolved, 'task.status.state')).toBe('TASK_STATE_COMPLETED');
      expect(at(await following, 'status.state')).toBe('TASK_STATE_COMPLETED');
    },
  },
  A2ACLI_PUSH_002: {
    on: 'own',
    async run({ json, run }) {
      const id = String(at(await json('send', '--async', 'wait 3'), 'task.id'));
      const received = lines(await run('task', 'push-config', 'listen', id, '--stream', '-o', 'json'));
      const last = received.at(-1);
      expect(at(last, 'statusUpdate.status.state') ?? at(last, 'task.status.state')).toBe(
        'TASK_STATE_COMPLETED',
      );
    },
  },
  A2ACLI_CHAT_001: {
    on: 'every',
    async run({ runProcess, agent }) {
      const stdin = `${agent.words.ask}\n${agent.words.answer}\n${agent.words.echo}\n`;
      const { out, code, errors } = await runProcess(['chat', '-o', 'json'], { stdin });
      expect(code, errors).toBe(0);
      const turns = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      expect(turns.map((turn) => at(turn, 'task.status.state'))).toEqual([
        'TASK_STATE_INPUT_REQUIRED',
        'TASK_STATE_COMPLETED',
        'TASK_STATE_COMPLETED',
      ]);
      expect(at(turns[1], 'task.id')).toBe(at(turns[0], 'task.id'));
      expect(at(turns[2], 'task.id')).not.toBe(at(turns[0], 'task.id'));
      expect(new Set(turns.map((turn) => at(turn, 'task.contextId'))).size).toBe(1);
    },
  },
  A2ACLI_TX_005: {
    on: 'grpc',
    async run({ run, agent }) {
      const { out, errors } = await run('send', agent.words.echo, '--transport', 'grpc', '--debug');
      expect(errors).toContain('debug: uses GRPC');
      expect(out).toContain('TASK_STATE_COMPLETED');
    },
  },
  A2ACLI_DEMO_SERVER_001: {
    on: 'own',
    async run({ run }) {
      for (const [word, state] of [
        ['reject', 'REJECTED'],
        ['fail', 'FAILED'],
        ['choose', 'INPUT_REQUIRED'],
        ['link', 'AUTH_REQUIRED'],
        ['parts', 'COMPLETED'],
      ] as const) {
        expect((await run('send', word)).out).toContain(`TASK_STATE_${state}`);
      }
    },
  },
  A2ACLI_VER_002: {
    on: 'own',
    async run({ tool }) {
      const uri = 'https://extensions.example/strict/v1';
      const server = await startDemoServer('--required-extension', uri);
      try {
        const words = ['send', 'echo hello', '-a', server.url, '-o', 'json'];
        const refused = await tool.run(words);
        expect(at(parsed(refused), 'error.code')).toBe('ExtensionSupportRequiredError');
        expect(refused.errors).toContain('add --extension');
        expect(parsed(await tool.run([...words, '--extension', uri]))).toHaveProperty('task');
      } finally {
        await server.close();
      }
    },
  },
};
