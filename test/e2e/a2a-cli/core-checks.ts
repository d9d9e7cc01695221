import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startCuttingProxy } from '../client/cutting-proxy.ts';
import { makeCertificate } from '../client/make-certificate.ts';
import { startTlsProxy } from '../client/start-tls-proxy.ts';
import { startDemoServer } from './agents.ts';
import type { CheckContext, Checks } from './check.ts';
import { at, lines, parsed } from './tool.ts';

const STATE = /^State: (TASK_STATE_\w+)$/m;

async function begin(
  { json, agent }: Pick<CheckContext, 'json' | 'agent'>,
  option = '--async',
): Promise<string> {
  return String(at(await json('send', option, agent.words.slow), 'task.id'));
}

/** The requests that a command has sent, as --debug shows them. */
function requestsIn(errors: string, operation: string): unknown[] {
  return [...errors.matchAll(new RegExp(`^debug: > ${operation} (.*)$`, 'gm'))].map(
    ([, json = '']) => JSON.parse(json) as unknown,
  );
}

async function withSecured(login: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = await startDemoServer('--login', login);
  try {
    await use(server.url);
  } finally {
    await server.close();
  }
}

/** An agent that answers every request with the same results, for what no real agent does. */
async function withScripted(
  results: readonly unknown[],
  use: (url: string, bodies: string[]) => Promise<void>,
  tenant?: string,
) {
  const bodies: string[] = [];
  let next = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.setHeader('Content-Type', 'application/json');
      if (request.method === 'GET') return response.end(JSON.stringify(card));
      bodies.push(body);
      const { id } = JSON.parse(body) as { id: unknown };
      const result = results[Math.min(next, results.length - 1)];
      next += 1;
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = {
    name: 'Scripted',
    capabilities: {},
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', ...(tenant && { tenant }) },
    ],
  };
  try {
    await use(url, bodies);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function task(state: string): object {
  return { id: 't-1', contextId: 'c-1', status: { state } };
}

/** What Tier 1 asks for. */
export const CORE_CHECKS: Checks = {
  A2ACLI_CARD_GET_001: {
    on: 'every',
    async run(context) {
      const { tool, agent } = context;
      const byHost = await tool.run([
        'card',
        'get',
        '-a',
        agent.url.replace('http://', '').replace('127.0.0.1', 'localhost'),
        '-o',
        'json',
        ...agent.options,
      ]);
      const byUrl = await tool.run([
        'card',
        'get',
        '-a',
        `${agent.url}/.well-known/agent-card.json`,
        '-o',
        'json',
        ...agent.options,
      ]);
      expect(parsed(byHost)).toEqual(parsed(byUrl));
      const file = await context.cardFile('card.json', () => ({}));
      const sent = await tool.run(['send', agent.words.echo, '-a', file, ...agent.options]);
      expect(sent.out).toContain('TASK_STATE_COMPLETED');
      const again = await tool.run(['card', 'get', '-a', `file://${file}`, ...agent.options]);
      expect(again.code).toBe(0);
    },
  },
  A2ACLI_SEND_001: {
    on: 'every',
    async run({ run, agent }) {
      const { code, out } = await run('send', agent.words.echo);
      expect(code).toBe(0);
      expect(out).toMatch(/hello/);
    },
  },
  A2ACLI_SEND_002: {
    on: 'every',
    async run(context) {
      const { run, json, agent } = context;
      expect(at(await json('send', agent.words.echo), 'task.status.state')).toBe('TASK_STATE_COMPLETED');
      for (const option of ['--async', '--no-wait']) {
        const id = await begin(context, option);
        expect(at(await json('task', 'get', id), 'status.state')).toMatch(/SUBMITTED|WORKING/);
        await run('task', 'cancel', id);
      }
    },
  },
  A2ACLI_SEND_003: {
    on: 'every',
    async run(context) {
      const { run, tool, agent } = context;
      const events = lines(await run('send', '--stream', '-o', 'json', agent.words.stream));
      expect(events.length).toBeGreaterThan(2);
      const capabilities = { streaming: false };
      const file = await context.cardFile('no-stream.json', () => ({ capabilities }));
      const plain = await tool.run([
        'send',
        '--stream',
        '-o',
        'json',
        agent.words.echo,
        '-a',
        file,
        ...agent.options,
      ]);
      expect(at(lines(plain).at(-1), 'task.status.state')).toBe('TASK_STATE_COMPLETED');
      if (agent.words.message === undefined) return;
      const message = await run('send', '--stream', '-o', 'json', agent.words.message);
      expect(message.code).toBe(0);
      expect(Object.keys(lines(message)[0] as object)).toEqual(['message']);
    },
  },
  A2ACLI_SEND_004: {
    on: 'every',
    async run({ run, agent }) {
      const { out } = await run('send', ...agent.file.words);
      expect(out).toMatch(agent.file.shown);
    },
  },
  A2ACLI_SEND_005: {
    on: 'every',
    async run({ run, tool, agent }) {
      await writeFile(join(tool.folder, 'a.txt'), 'one');
      await writeFile(join(tool.folder, 'b.txt'), 'two');
      const words = [
        '--text',
        agent.words.echo,
        '--file',
        'a.txt',
        '--media-type',
        'text/markdown',
        '--file',
        'b.txt',
      ];
      const { errors } = await run('send', ...words, '--debug');
      const parts = at(requestsIn(errors, 'sendMessage')[0], 'message.parts') as { mediaType?: string }[];
      expect(parts.map(({ mediaType }) => mediaType)).toEqual([undefined, 'text/markdown', 'text/plain']);
      expect((await run('send', '--media-type', 'text/plain', 'x')).code).toBe(2);
    },
  },
  A2ACLI_SEND_006: {
    on: 'every',
    async run({ runProcess, agent }) {
      const words = ['send', '--text', agent.words.echo, '--data', '-', '--text', 'last', '--debug'];
      const { errors } = await runProcess(words, { stdin: '{"n": 1}' });
      const parts = at(requestsIn(errors, 'sendMessage')[0], 'message.parts');
      expect(parts).toEqual([{ text: agent.words.echo }, { data: { n: 1 } }, { text: 'last' }]);
    },
  },
  A2ACLI_TASK_GET_001: {
    on: 'every',
    async run({ run, json, agent }) {
      const id = String(at(await json('send', agent.words.echo), 'task.id'));
      const { out } = await run('task', 'get', id, '--verbose');
      expect(out).toMatch(/^Task ID: /m);
      expect(out).toMatch(/^State: TASK_STATE_COMPLETED$/m);
      expect(out).toMatch(/^Text: hello$/m);
    },
  },
  A2ACLI_TASK_CANCEL_001: {
    on: 'every',
    async run(context) {
      const id = await begin(context);
      const canceled = await context.run('task', 'cancel', id);
      expect(canceled.code).toBe(0);
      expect(canceled.out).toMatch(/^State: TASK_STATE_CANCELED$/m);
      const again = await context.run('task', 'cancel', id);
      expect(again.out + again.errors).toMatch(/TASK_STATE_CANCELED|TaskNotCancelableError/);
      const done = String(at(await context.json('send', context.agent.words.echo), 'task.id'));
      const late = await context.run('task', 'cancel', done);
      expect(late.code).toBe(1);
      expect(late.errors).toContain('TaskNotCancelableError');
    },
  },
  A2ACLI_INTERACT_001: {
    on: 'every',
    async run({ json, agent }) {
      const first = await json('send', agent.words.echo);
      const contextId = String(at(first, 'task.contextId'));
      const second = await json('send', '--context-id', contextId, agent.words.echo);
      expect(at(second, 'task.contextId')).toBe(contextId);
      expect(at(second, 'task.id')).not.toBe(at(first, 'task.id'));
    },
  },
  A2ACLI_INTERACT_002: {
    on: 'every',
    async run({ run, json, agent }) {
      const asked = await json('send', agent.words.ask);
      const id = String(at(asked, 'task.id'));
      const answered = await json(
        'send',
        '--task-id',
        id,
        '--context-id',
        String(at(asked, 'task.contextId')),
        agent.words.answer,
      );
      expect(at(answered, 'task.id')).toBe(id);
      const refused = await run('send', '--task-id', 'no-such-task', 'x', '-o', 'json');
      expect(refused.code).toBe(1);
      expect(at(parsed(refused), 'error')).toMatchObject({
        code: 'TaskNotFoundError',
        hint: expect.stringContaining('--debug') as string,
      });
    },
  },
  A2ACLI_INTERACT_003: {
    on: 'every',
    async run({ run, agent }) {
      const { errors } = await run('send', agent.words.echo, '--debug');
      const [request] = requestsIn(errors, 'sendMessage');
      expect(Object.keys(at(request, 'message') as object).toSorted()).toEqual([
        'messageId',
        'parts',
        'role',
      ]);
    },
  },
  A2ACLI_INTERACT_004: {
    on: 'every',
    async run({ run, tool, agent }) {
      const done = await run('send', agent.words.echo);
      expect(done.out).toMatch(/^Task ID: \S+\nContext ID: \S+\nState: TASK_STATE_COMPLETED$/m);
      expect(done.out).toMatch(/^Resume: holdword send .*--context-id/m);
      const asked = await run('send', agent.words.ask);
      const [, resume = ''] = /^Resume: holdword (.*) "<reply>"$/m.exec(asked.out) ?? [];
      const again = await tool.run([
        ...resume.split(' '),
        agent.words.answer,
        '-o',
        'json',
        ...agent.options,
      ]);
      expect(at(parsed(again), 'task.status.state')).toBe('TASK_STATE_COMPLETED');
    },
  },
  A2ACLI_INTERACT_005: {
    on: 'every',
    async run({ run, tool, agent }) {
      await run('send', agent.words.echo);
      expect(await readdir(join(tool.folder, '.config', 'a2a-cli')).catch(() => [])).toEqual([]);
      expect((await run('send', '--continue', 'x')).code).toBe(2);
    },
  },
  A2ACLI_TASK_POLL_001: {
    on: 'every',
    async run(context) {
      const { json, run } = context;
      const id = await begin(context);
      expect(at(await json('task', 'get', id), 'id')).toBe(id);
      const waiting = json('task', 'get', id, '--wait', '--poll-interval', '100ms');
      await run('task', 'cancel', id);
      expect(at(await waiting, 'status.state')).toBe('TASK_STATE_CANCELED');
    },
  },
  A2ACLI_TASK_POLL_002: {
    on: 'every',
    async run(context) {
      const { run, tool, agent } = context;
      const id = await begin(context);
      const file = await context.cardFile('polled.json', () => ({ capabilities: { streaming: false } }));
      const words = [
        'task',
        'get',
        id,
        '--wait',
        '--poll-interval',
        '200ms',
        '--timeout',
        '2s',
        '--debug',
        '-o',
        'json',
      ];
      const late = await tool.run([...words, '-a', file, ...agent.options]);
      expect(late.code).toBe(5);
      expect(at(parsed(late), 'error.hint')).toContain(`task get ${id}`);
      const polls = requestsIn(late.errors, 'getTask').length;
      expect(polls).toBeGreaterThan(1);
      expect(polls).toBeLessThanOrEqual(10);
      const stopped = await context.runProcess(['send', agent.words.slow], {
        interruptAfter: /Task ID: \S+\n/,
      });
      expect(stopped.code).toBe(130);
      expect(stopped.errors).toMatch(/holdword task get \S+ .*--wait/);
      await run('task', 'cancel', id);
    },
  },
  A2ACLI_TASK_POLL_003: {
    on: 'every',
    async run({ json, run, tool, agent }) {
      const asked = await json('send', agent.words.ask);
      expect(at(asked, 'task.status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
      const again = await json('task', 'get', String(at(asked, 'task.id')), '--wait');
      expect(at(again, 'status.state')).toBe('TASK_STATE_INPUT_REQUIRED');
      if (!agent.isOwn) return;
      expect((await run('send', 'login')).out).toMatch(/^State: TASK_STATE_AUTH_REQUIRED$/m);
      const results = [
        { task: task('TASK_STATE_UNSPECIFIED') },
        task('TASK_STATE_UNSPECIFIED'),
        task('TASK_STATE_COMPLETED'),
      ];
      await withScripted(results, async (url) => {
        const { out } = await tool.run(['send', 'x', '-a', url, '--poll-interval', '10ms', '-o', 'json']);
        expect(at(JSON.parse(out), 'task.status.state')).toBe('TASK_STATE_COMPLETED');
      });
    },
  },
  A2ACLI_TASK_POLL_004: {
    on: 'every',
    async run(context) {
      const { run, tool, agent } = context;
      const id = await begin(context);
      const { port } = new URL(agent.url);
      const proxy = await startCuttingProxy({ port: Number(port) });
      const file = await context.cardFile(
        'cut.json',
        (card) => JSON.parse(JSON.stringify(card).replaceAll(`:${port}/`, `:${proxy.port}/`)) as object,
      );
      const waiting = tool.run([
        'task',
        'get',
        id,
        '--wait',
        '-o',
        'json',
        '--transport',
        'jsonrpc',
        '-a',
        file,
        ...agent.options,
      ]);
      await expect.poll(() => (proxy.cutAll(), proxy.cuts()), { timeout: 30_000 }).toBeGreaterThan(0);
      await run('task', 'cancel', id);
      expect(at(parsed(await waiting), 'status.state')).toBe('TASK_STATE_CANCELED');
    },
  },
  A2ACLI_OUT_001: {
    on: 'every',
    async run({ run, agent }) {
      const { out, errors } = await run('send', agent.words.fail);
      expect(out).toMatch(/^Task ID: \S+\nContext ID: \S+\nState: TASK_STATE_FAILED$/m);
      expect(out).not.toContain('Warning');
      expect(errors).toContain('Warning: The task has failed.');
    },
  },
  A2ACLI_OUT_002: {
    on: 'every',
    async run({ json, agent }) {
      expect(Object.keys((await json('send', agent.words.stream)) as object)).toEqual(['task']);
      const { message } = agent.words;
      if (message !== undefined) expect(await json('send', message)).toHaveProperty('message');
    },
  },
  A2ACLI_OUT_003: {
    on: 'every',
    async run({ run, agent }) {
      const events = lines(await run('send', '--stream', '-o', 'json', agent.words.stream));
      expect(at(events.at(-1), 'statusUpdate.status.state') ?? at(events.at(-1), 'task.status.state')).toBe(
        'TASK_STATE_COMPLETED',
      );
      const failed = lines(await run('task', 'subscribe', 'no-such-task', '--stream', '-o', 'json'));
      expect(at(failed.at(-1), 'error.code')).toBe('TaskNotFoundError');
    },
  },
  A2ACLI_OUT_004: {
    on: 'every',
    async run({ run, agent }) {
      for (const binding of agent.bindings) {
        const error = at(
          parsed(await run('task', 'get', 'no-such-task', '--transport', binding, '-o', 'json')),
          'error',
        );
        expect(error).toMatchObject({
          code: 'TaskNotFoundError',
          a2aCode: -32_001,
          hint: expect.any(String) as string,
        });
      }
      expect(at(parsed(await run('send', 'x', '--nonsense', '-o', 'json')), 'error.code')).toBe(
        'A2ACLI_ERR_USAGE',
      );
    },
  },
  A2ACLI_OUT_005: {
    on: 'every',
    async run({ run, agent }) {
      const { out } = await run('send', `${agent.words.echo} \u001b[31mred\u0007`);
      // oxlint-disable-next-line no-control-regex -- there must be none
      expect(out).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
      for (const line of out.split('\n')) expect(line).toMatch(/^$|^[A-Z][\w ]*:( .*)?$|^ {2}/);
    },
  },
  A2ACLI_OUT_006: {
    on: 'every',
    async run({ run, json, agent }) {
      const sent = await json('send', '--async', agent.words.slow);
      expect(at(sent, 'task.id')).toEqual(expect.any(String));
      expect(at(sent, 'task.contextId')).toEqual(expect.any(String));
      await run('task', 'cancel', String(at(sent, 'task.id')));
    },
  },
  A2ACLI_EXIT_001: {
    on: 'own',
    async run({ run, tool }) {
      expect((await run('send', 'echo hello')).code).toBe(0);
      expect((await run('task', 'get', 'no-such-task')).code).toBe(1);
      expect((await run('send')).code).toBe(2);
      expect((await tool.run(['card', 'get', '-a', 'localhost:1'])).code).toBe(3);
      expect((await run('send', 'wait 600', '--timeout', '300ms')).code).toBe(5);
      await withSecured('key', async (url) => {
        expect((await tool.run(['send', 'echo hello', '-a', url])).code).toBe(4);
      });
    },
  },
  A2ACLI_EXIT_002: {
    on: 'every',
    async run({ run, agent }) {
      const failed = await run('send', agent.words.fail);
      expect(failed.code).toBe(0);
      expect(failed.errors).toContain('The task has failed.');
      const asked = await run('send', agent.words.ask);
      expect(asked.code).toBe(0);
      expect(asked.errors).toContain('The agent asks for input.');
      if (agent.isOwn) expect((await run('send', 'reject')).code).toBe(0);
    },
  },
  A2ACLI_AUTH_001: {
    on: 'own',
    async run({ tool }) {
      await withSecured('key', async (url) => {
        const { out } = await tool.run(['send', 'echo hello', '-a', url], { A2ACLI_API_KEY: 'demo-key' });
        expect(out).toMatch(STATE);
      });
      await withSecured('bearer', async (url) => {
        expect((await tool.run(['send', 'echo hello', '-a', url, '--bearer', 'demo-token'])).out).toMatch(
          STATE,
        );
      });
    },
  },
  A2ACLI_AUTH_002: {
    on: 'own',
    async run({ tool }) {
      await withSecured('bearer', async (url) => {
        const wrong = { A2ACLI_BEARER: 'wrong' };
        const words = ['send', 'echo hello', '-a', url];
        expect((await tool.run(words, { A2ACLI_BEARER: 'demo-token' })).code).toBe(0);
        expect((await tool.run(words, wrong)).code).toBe(4);
        expect((await tool.run([...words, '--bearer', 'demo-token'], wrong)).code).toBe(0);
      });
      const { out } = await tool.run(['send', '--help']);
      expect(out.replaceAll(/\s+/g, ' ')).toContain(
        'Other users of the machine can see it in the list of processes',
      );
    },
  },
  A2ACLI_AUTH_003: {
    on: 'own',
    async run({ tool }) {
      await withSecured('bearer', async (url) => {
        const { port } = new URL(url);
        const proxy = await startTlsProxy(Number(port), makeCertificate('localhost'));
        const { out } = await tool.run(['card', 'get', '-a', url, '-o', 'json']);
        const card = join(tool.folder, 'tls.json');
        await writeFile(card, out.replaceAll(`http://127.0.0.1:${port}`, `https://localhost:${proxy.port}`));
        const words = ['send', 'echo hello', '-a', card, '--bearer', 'demo-token', '--transport', 'jsonrpc'];
        expect((await tool.run(words)).code).toBe(3);
        const insecure = await tool.run([...words, '--insecure']);
        expect(insecure.code).toBe(0);
        expect(insecure.errors).toContain(
          'Warning: A credential is sent over a connection that is not verified',
        );
      });
    },
  },
  A2ACLI_AUTH_004: {
    on: 'own',
    async run({ tool }) {
      await withSecured('bearer', async (url) => {
        const words = ['send', 'echo demo-token', '-a', url, '--debug', '--svc-param', 'X-Secret:hush-hush'];
        const { errors } = await tool.run(words, { A2ACLI_BEARER: 'demo-token' });
        expect(errors).toContain('debug: > POST');
        expect(errors).not.toContain('demo-token');
        expect(errors).not.toContain('hush-hush');
      });
    },
  },
  A2ACLI_TX_001: {
    on: 'current',
    async run(context) {
      const { tool, agent } = context;
      const file = await context.cardFile('reversed.json', ({ supportedInterfaces }) => ({
        supportedInterfaces: (supportedInterfaces as unknown[]).toReversed(),
      }));
      const words = ['send', agent.words.echo, '-a', file, '--debug', ...agent.options];
      const { errors } = await tool.run(words);
      const listed = (
        at(JSON.parse(await context.read('reversed.json')), 'supportedInterfaces') as {
          protocolBinding: string;
          protocolVersion: string;
        }[]
      ).find(({ protocolVersion }) => protocolVersion !== '0.3');
      expect(errors).toContain(`debug: uses ${listed?.protocolBinding} of`);
    },
  },
  A2ACLI_TX_002: {
    on: 'current',
    async run({ run, agent }) {
      const chosen = async (...words: string[]) =>
        /debug: uses (\S+) of/.exec((await run('send', agent.words.echo, '--debug', ...words)).errors)?.[1];
      expect(await chosen()).toBe('JSONRPC');
      expect(await chosen('--transport', 'rest')).toBe('HTTP+JSON');
      // One that the agent does not have is left out.
      const expected = agent.bindings.includes('grpc') ? 'GRPC' : 'HTTP+JSON';
      expect(await chosen('--transport', 'grpc', '--transport', 'rest')).toBe(expected);
    },
  },
  A2ACLI_TX_003: {
    on: 'own',
    async run({ tool }) {
      await withScripted(
        [{ task: task('TASK_STATE_COMPLETED') }],
        async (url, bodies) => {
          await tool.run(['send', 'x', '-a', url]);
          expect(at(JSON.parse(bodies[0] ?? ''), 'params.tenant')).toBe('acme');
        },
        'acme',
      );
      await withScripted([{ task: task('TASK_STATE_COMPLETED') }], async (url, bodies) => {
        await tool.run(['send', 'x', '-a', url]);
        expect(at(JSON.parse(bodies[0] ?? ''), 'params')).not.toHaveProperty('tenant');
      });
    },
  },
  A2ACLI_VER_001: {
    on: 'every',
    async run({ run, tool, agent }) {
      if (agent.isLegacy) {
        const refused = await tool.run(['send', agent.words.echo, '-a', agent.url, '-o', 'json']);
        expect(at(parsed(refused), 'error.code')).toBe('VersionNotSupportedError');
        return;
      }
      const { errors } = await run('send', agent.words.echo, '--debug');
      const sent = [...errors.matchAll(/^debug: > (?:GET|POST) \S+ (\{.*\})$/gm)];
      expect(sent.length).toBeGreaterThan(1);
      for (const [, headers = ''] of sent)
        expect(JSON.parse(headers)).toMatchObject({
          'A2A-Version': expect.stringMatching(/^1\.\d$/) as string,
        });
    },
  },
  A2ACLI_DEFAULT_001: {
    on: 'own',
    async run({ tool }) {
      const help = (await tool.run(['send', '--help'])).out.replaceAll(/\s+/g, ' ');
      for (const shown of [
        '[default: the first that the card lists]',
        '[default: wait until the task has ended or asks something]',
        '[default: text]',
        '[default: what matters]',
        '[default: the highest that both sides have, at least 1.0]',
        '[default: certificates are verified]',
      ])
        expect(help).toContain(shown);
    },
  },
  A2ACLI_CONFIG_001: {
    on: 'own',
    async run({ tool }) {
      const before = await readdir(tool.folder);
      const { code } = await tool.run(['config', 'show']);
      expect(code).toBe(0);
      expect(await readdir(tool.folder)).toEqual(before);
    },
  },
  A2ACLI_CLI_001: {
    on: 'own',
    async run({ tool }) {
      expect((await tool.run(['help'])).out).toContain('Usage: holdword');
      expect((await tool.run(['send', '--help'])).code).toBe(0);
      expect((await tool.run(['help', 'task', 'get'])).out).toContain('--poll-interval');
      expect((await tool.run(['-v'])).out).toMatch(/^\d+\.\d+\.\d+/);
      expect((await tool.run(['--version'])).code).toBe(0);
    },
  },
  A2ACLI_SKILL_001: {
    on: 'own',
    async run({ tool }) {
      const { out } = await tool.run(['skill', 'show']);
      expect(out).toContain('holdword help');
      expect(out.split('\n').length).toBeLessThan(60);
      expect(await readdir(join(tool.folder, '.agents', 'skills')).catch(() => [])).toHaveLength(0);
      expect((await tool.run(['skill', 'install'])).code).toBe(0);
      expect(await readdir(join(tool.folder, '.agents', 'skills'))).toEqual(['holdword']);
    },
  },
  A2ACLI_SKILL_002: {
    on: 'own',
    async run({ tool }) {
      const { out } = await tool.run(['skill', 'show']);
      expect(out).not.toMatch(/\b(MUST|SHALL|A2ACLI_ERR|A2ACLI_[A-Z]+_\d)/);
    },
  },
};
