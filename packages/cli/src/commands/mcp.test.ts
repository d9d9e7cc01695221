import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EXTRA_TOOL_NAMES } from '@holdword/client/internal';
import { startPeer, startWebServer, type PeerAnswer, type PeerOptions } from '@holdword/client/testing';
import { expect, onTestFinished, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { startHoldword } from '../testing/start-holdword.ts';
import { urlOf } from '../testing/talk.ts';
import { TOOL_OPTIONS } from './mcp-options.ts';

const NOWHERE = ['--agent', 'nowhere=http://127.0.0.1:9'];

test('the help names all extra tools', () => {
  expect(TOOL_OPTIONS['extra-tools'].description).toContain(EXTRA_TOOL_NAMES.join(','));
});

test('over stdio it exits silently when its host disconnects', async () => {
  const folder = await makeHoldwordFolder();
  expect(await folder.run('mcp', ...NOWHERE)).toMatchObject({ code: 0, output: '' });
});

test('over stdio it exits on a signal even if its host keeps the pipe open', async () => {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'mcp', ...NOWHERE], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  child.stdin.write(`${JSON.stringify(ping)}\n`);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** What the server writes for these lines until its host disconnects. */
async function serveLines(lines: Iterable<string>): Promise<{ errors: string; answers: unknown[] }> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'mcp', ...NOWHERE]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [reported, answered] = [text(child.stderr), text(child.stdout)];
  const exit = once(child, 'exit');
  await pipeline(lines, child.stdin);
  expect(await exit).toEqual([0, null]);
  const answers = (await answered).trim().split('\n');
  return { errors: await reported, answers: answers.map((line): unknown => JSON.parse(line)) };
}

const PING = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`;

test('lines on standard input that are no messages are answered, and take one line to report', async () => {
  const { errors, answers } = await serveLines(['{"a": 1}\n[]\n\nno\n{"jsonrpc":"2.0","id":7}\n', PING]);
  const line = 'holdword mcp: ignored a line on standard input that is not an MCP message: ';
  expect(errors.split('\n')).toEqual([...Array.from({ length: 4 }, () => expect.stringContaining(line)), '']);
  const codes = [-32_600, -32_600, -32_700, -32_600];
  const rejected = codes.map((code) => ({ jsonrpc: '2.0', id: null, error: { code } }));
  expect(answers).toMatchObject([...rejected, { id: 1 }]);
});

test('a line on standard input that is too long is answered, and the server continues', async () => {
  const piece = 'x'.repeat(1024 * 1024);
  const long = ['{"jsonrpc":"2.0","id":5,"method":"', ...Array.from({ length: 40 }, () => piece), '"}\n'];
  const { errors, answers } = await serveLines([PING, ...long, PING]);
  expect(errors).toMatch(
    /^holdword mcp: ignored a line on standard input that is longer than 10485760 bytes\.\n$/,
  );
  expect(answers).toMatchObject([
    { id: 1, result: {} },
    { id: null, error: { message: expect.stringContaining('larger than 10485760 bytes') as string } },
    { id: 1, result: {} },
  ]);
});

/** The answer to a call of a tool, as its line on standard output. */
async function callTool(words: readonly string[], params: object): Promise<string> {
  const main = fileURLToPath(new URL('../main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, 'mcp', ...words]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const initialize = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const messages = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params },
  ];
  child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  for await (const line of createInterface(child.stdout)) if (line.includes('"id":2')) return line;
  throw new Error('the server ended without an answer');
}

test('a card server that hangs holds up a tool as long as --timeout', async () => {
  const { origin } = await startWebServer(() => {});
  const begun = Date.now();
  const words = ['--agent', `slow=${origin}`, '--timeout', '1'];
  expect(await callTool(words, { name: 'getAgents', arguments: {} })).toContain('the request timed out');
  expect(Date.now() - begun).toBeLessThan(12_000);
});

test('over HTTP it prints its URL and exits on a signal', async () => {
  const holdword = startHoldword(['mcp', '--http', '0', ...NOWHERE]);
  await holdword.printed(/^MCP server listening at http:\/\/127\.0\.0\.1:\d+\/mcp\n/);
  holdword.signal('SIGTERM');
  expect(await holdword.ended).toBe(0);
});

test('a network address needs a token', async () => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('mcp', '--http', '0', '--host', '0.0.0.0', ...NOWHERE);
  expect(output).toContain('Refusing to listen on 0.0.0.0 without a token');
  expect(code).toBe(1);
});

test('check lists the agents it can reach, from a file and from options', async () => {
  const folder = await makeHoldwordFolder({ DEMO_KEY: 'secret' });
  const url = await urlOf(folder.serve('--store', 'memory'));
  const entry = { url, custom_headers: { 'X-Key': '${DEMO_KEY}' } };
  await writeFile(join(folder.path, 'agents.json'), JSON.stringify({ demo: entry }));
  expect(await folder.run('mcp', 'check', '--agents', 'agents.json')).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^AGENT +NAME +SKILLS\ndemo +Holdword demo agent +Echo, Count, /),
  });
  const both = await folder.run('mcp', 'check', '--agents', 'agents.json', ...NOWHERE);
  expect(both.code).toBe(1);
  expect(both.output).toContain('The card of agent "nowhere" could not be fetched');
});

test('check tries the headers of an agent', async () => {
  const folder = await makeHoldwordFolder();
  const added = await folder.run('keys', 'add', 'ada');
  const [key = ''] = /holdword_\S+/.exec(added.output) ?? [];
  const url = await urlOf(folder.serve());
  const check = async (custom_headers: Record<string, string>) => {
    await writeFile(join(folder.path, 'agents.json'), JSON.stringify({ demo: { url, custom_headers } }));
    return folder.run('mcp', 'check', '--agents', 'agents.json');
  };
  expect(await check({ Authorization: `Bearer ${key}` })).toMatchObject({ code: 0 });
  const refused = await check({ Authorization: 'Bearer wrong' });
  expect(refused.code).toBe(1);
  expect(refused.output).toContain('Agent "demo" has a card but refuses requests:');
});

test('an agents file with its entries inside "agents" is explained', async () => {
  const folder = await makeHoldwordFolder();
  const content = { agents: { demo: { url: 'http://127.0.0.1:9' } } };
  await writeFile(join(folder.path, 'agents.json'), JSON.stringify(content));
  const { code, output } = await folder.run('mcp', 'check', '--agents', 'agents.json');
  expect(code).toBe(2);
  expect(output).toContain('the entries are inside "agents". Put them at the top level');
});

test.each([
  ['--max-result', 'huge'],
  ['--max-response', '0'],
  ['--max-file', '1T'],
])('%s %s is not a size', async (option, size) => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('mcp', ...NOWHERE, option, size);
  expect([code, output]).toEqual([
    2,
    expect.stringContaining(`${option}: expected a size such as 64K, 32M or 1G, found "${size}".`),
  ]);
});

test('check notices an agent whose card names an address that cannot be reached, and prints JSON', async () => {
  const folder = await makeHoldwordFolder();
  const port = await freePort();
  const holdword = folder.serve('--port', `${port}`, '--public-url', 'http://no-such-host.invalid');
  await holdword.printed(/Press Ctrl-C to stop/);
  const words = ['mcp', 'check', '--agent', `demo=http://127.0.0.1:${port}`];
  const { code, output } = await folder.run(...words);
  expect(output).toMatch(/^AGENT +NAME +SKILLS\ndemo +Holdword demo agent /);
  expect(output).toMatch(
    /^Agent "demo" has a card, but does not answer at the addresses on it, such as http:\/\/no-such-host\.invalid/m,
  );
  expect(code).toBe(1);
  const json = await folder.run(...words, '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.output.slice(0, json.output.indexOf('\n}\n') + 2))).toMatchObject({
    agents: [
      { agent: 'demo', name: 'Holdword demo agent', skills: expect.arrayContaining(['Echo']) as string[] },
    ],
    problems: [expect.stringContaining('no-such-host.invalid') as string],
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test.each(['/dev/null/x', '/proc/x'])(
  'a folder for data that cannot be used (%s) is refused at the start',
  async (data) => {
    const folder = await makeHoldwordFolder();
    const { code, output } = await folder.run('mcp', '--data', data, ...NOWHERE);
    expect(output).toContain(`--data: the folder "${data}" cannot be used.`);
    expect(code).toBe(1);
  },
);

test.each([
  [['--host', '127.0.0.1'], '--host: applies only to --http.'],
  [['--timeout', '0s'], '--timeout: expected more than 0'],
  [['--task-ttl', '1d'], '--task-ttl: applies only to --data.'],
  [['--data', 'data', '--task-ttl', '0s'], '--task-ttl: expected more than 0'],
  [
    ['--timeout', '8 s'],
    '--timeout: expected a duration such as 90d, 12h, 30m or 45s, or a number of seconds',
  ],
  [
    ['--max-response', '2M', '--max-result', '1M'],
    '--max-result: expected at least --max-response (2M), found "1M".',
  ],
])('%j is refused', async (words, message) => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('mcp', ...words, ...NOWHERE);
  expect(output).toContain(message);
  expect(code).toBe(2);
});

const TASK_NOT_FOUND: PeerAnswer = { error: { code: -32001, message: 'No such task.' } };
const interfaceOf = (protocolBinding: string, protocolVersion: string, url = 'http://127.0.0.1:9/') => ({
  supportedInterfaces: [{ url, protocolBinding, protocolVersion }],
});

test.each<[string, PeerOptions, RegExp]>([
  [
    'no interface',
    { card: { supportedInterfaces: [] } },
    /^Agent "peer" cannot be called\. .*no supported interface/m,
  ],
  [
    'a later version',
    { card: interfaceOf('JSONRPC', '2.0') },
    /^Agent "peer" cannot be called\. .*no supported interface/m,
  ],
  [
    'another transport',
    { card: interfaceOf('MQTT', '1.0') },
    /^Agent "peer" cannot be called\. .*no supported interface/m,
  ],
  [
    'HTTP status 500',
    { answer: () => ({ status: 500, text: '{"error":"no"}' }) },
    /^Agent "peer" has a card but does not work: The agent responded with HTTP status 500: "no"\.$/m,
  ],
  [
    'HTTP status 404',
    { answer: () => ({ status: 404, text: '' }) },
    /^Agent "peer" has a card but does not work: The agent responded with HTTP status 404\.$/m,
  ],
  [
    'HTTP status 429',
    { answer: () => ({ status: 429, text: '', headers: { 'Retry-After': '60' } }) },
    /^Agent "peer" has a card but does not work: The agent responded with HTTP status 429\. Wait 60 seconds, then try again\.$/m,
  ],
  [
    'something else than A2A',
    { answer: () => ({ status: 200, text: '<html>' }) },
    /^Agent "peer" has a card but does not work: The agent's response is not valid JSON\./m,
  ],
])('check says that an agent with %s cannot be called', async (_, options, problem) => {
  const { url } = await startPeer({ version: '1.0', answer: () => TASK_NOT_FOUND, ...options });
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('mcp', 'check', '--agent', `peer=${url}`);
  expect(output).toMatch(problem);
  expect(code).toBe(1);
});

test('check says that there is nothing to check', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'agents.json'), '{}');
  const { code, output } = await folder.run('mcp', 'check', '--agents', 'agents.json');
  expect(output).toContain('There are no agents to check. Add one to the file');
  expect(code).toBe(1);
});

test('check names an agent whose card server is overloaded', async () => {
  const { origin } = await startWebServer((_request, response) => response.writeHead(429).end());
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('mcp', 'check', '--agent', `peer=${origin}`);
  expect(output).toContain(
    'The card of agent "peer" could not be fetched: The agent responded with HTTP status 429.',
  );
  expect(code).toBe(1);
});

test.each<[string, PeerAnswer]>([
  ['does not know the task', TASK_NOT_FOUND],
  ['has no tasks', { error: { code: -32601, message: 'Method not found' } }],
])('check accepts an agent that %s', async (_, answer) => {
  const { url } = await startPeer({ version: '1.0', answer: () => answer });
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('mcp', 'check', '--agent', `peer=${url}`);
  expect([code, output]).toEqual([0, expect.stringMatching(/^AGENT .*\npeer +Support Agent/) as string]);
});

/** An agent on another address of this machine than 127.0.0.1. */
async function startElsewhere(): Promise<string> {
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'from the other host' }] };
  const server = createHttpServer((request, response) => {
    const respond = async (): Promise<void> => {
      const { id } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { id: unknown };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { message } }));
    };
    void respond();
  }).listen(0, '127.0.0.2');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.2:${(server.address() as AddressInfo).port}/`;
}

// macOS has one loopback address.
test.skipIf(process.platform === 'darwin').each([
  [['--allow', '127.0.0.2'], 'from the other host'],
  [[], 'the address in its card is not allowed'],
])('a tool calls an agent on another private host with %j', async (allow, answer) => {
  const { url } = await startPeer({
    version: '1.0',
    card: interfaceOf('JSONRPC', '1.0', await startElsewhere()),
  });
  const params = { name: 'sendMessage', arguments: { agentId: 'far', message: 'hello' } };
  expect(await callTool(['--agent', `far=${url}`, ...allow], params)).toContain(answer);
});

test('--allow names private hosts that cards may name', async () => {
  // Another address of this machine than that of the agent, where nothing listens.
  const { url } = await startPeer({
    version: '1.0',
    card: interfaceOf('JSONRPC', '1.0', 'http://127.0.0.2:1025/'),
  });
  const folder = await makeHoldwordFolder();
  const check = (...words: string[]) => folder.run('mcp', 'check', '--agent', `peer=${url}`, ...words);
  const refused = await check();
  expect(refused.output).toMatch(
    /refuses requests: The agent cannot be called: the address in its card is not allowed/,
  );
  const allowed = await check('--allow', '127.0.0.2');
  expect(allowed.output).not.toContain('is not allowed');
  expect(allowed.output).toContain('does not answer at the addresses on it');
});
