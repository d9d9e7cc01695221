import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgentCard, toLegacyCard } from '@holdword/protocol/internal';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startWebServer } from '../testing/start-web-server.ts';
import { cardFailure } from './card-cache.ts';
import { A2AAgents, type A2AAgentsOptions } from './a2a-agents.ts';
import { readAgentEntries, type AgentEntry } from './agent-entries.ts';

const TRANSLATOR = buildAgentCard({
  name: 'Universal Translator',
  description: 'Translate text and audio between 50+ languages',
  endpoints: [{ url: 'https://translate.example.com/a2a', binding: 'JSONRPC' }],
  skills: [
    {
      id: 'translate-text',
      name: 'Translate Text',
      description: 'Translate text between any supported language pair',
      tags: ['translate', 'text', 'language'],
      examples: ["Translate 'hello' to French"],
    },
    {
      id: 'translate-audio',
      name: 'Translate Audio',
      description: 'Translate audio between any supported language pair',
      tags: ['translate', 'audio', 'language'],
    },
  ],
});
const REVIEWER = buildAgentCard({
  name: 'Code Reviewer',
  description: 'Review code for best practices',
  endpoints: [{ url: 'https://review.example.com/a2a', binding: 'HTTP+JSON' }],
  skills: [
    {
      id: 'review',
      name: 'Review Code',
      description: 'Review code for best practices, identify bugs, and suggest improvements',
      tags: [],
    },
  ],
});

function openAgents(
  agents: Record<string, AgentEntry> | string | undefined,
  options: A2AAgentsOptions = {},
): A2AAgents {
  const opened = new A2AAgents(agents, options);
  onTestFinished(() => opened.close());
  return opened;
}

/** Starts the two agents of the examples, one of which publishes a 0.3 card. */
async function startExamples(): Promise<Record<string, AgentEntry>> {
  const { origin } = await startWebServer((request, response) => {
    const card = request.url === '/translator.json' ? toLegacyCard(TRANSLATOR) : REVIEWER;
    response.end(JSON.stringify(card));
  });
  return {
    'language-translator': {
      url: `${origin}/translator.json`,
      custom_headers: { Authorization: 'Bearer tok_123' },
    },
    'code-reviewer': { url: `${origin}/reviewer.json` },
  };
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('what a model sees', () => {
  test('name', async () => {
    const agents = openAgents(await startExamples());
    expect(await agents.getAgentsForLlm('name')).toEqual({
      'code-reviewer': { name: 'Code Reviewer' },
      'language-translator': { name: 'Universal Translator' },
    });
  });

  test('basic, which is the default, sorted by id', async () => {
    const agents = openAgents(await startExamples());
    const summaries = await agents.getAgentsForLlm();
    expect(summaries).toEqual({
      'code-reviewer': { name: 'Code Reviewer', description: 'Review code for best practices' },
      'language-translator': {
        name: 'Universal Translator',
        description: 'Translate text and audio between 50+ languages',
      },
    });
    expect(Object.keys(summaries)).toEqual(['code-reviewer', 'language-translator']);
  });

  test('skills', async () => {
    const agents = openAgents(await startExamples());
    expect(await agents.getAgentsForLlm('skills')).toMatchObject({
      'code-reviewer': { skills: ['Review Code'] },
      'language-translator': { skills: ['Translate Text', 'Translate Audio'] },
    });
  });

  test('full', async () => {
    const agents = openAgents(await startExamples());
    expect(await agents.getAgentsForLlm('full')).toEqual({
      'code-reviewer': {
        name: 'Code Reviewer',
        description: 'Review code for best practices',
        skills: [
          {
            name: 'Review Code',
            description: 'Review code for best practices, identify bugs, and suggest improvements',
          },
        ],
      },
      'language-translator': {
        name: 'Universal Translator',
        description: 'Translate text and audio between 50+ languages',
        skills: [
          {
            name: 'Translate Text',
            description: 'Translate text between any supported language pair',
          },
          {
            name: 'Translate Audio',
            description: 'Translate audio between any supported language pair',
          },
        ],
      },
    });
  });

  test('one agent, or null', async () => {
    const agents = openAgents(await startExamples());
    expect(await agents.getAgentForLlm('language-translator')).toEqual({
      name: 'Universal Translator',
      description: 'Translate text and audio between 50+ languages',
    });
    expect(await agents.getAgentForLlm('nobody')).toBeNull();
    await expect(agents.getAgentForLlm('code-reviewer', 'everything')).rejects.toThrow(
      'Expected detail to be one of name, basic, skills, full, found "everything".',
    );
  });

  test('never an address or a header, whatever fails', async () => {
    const port = await freePort();
    const entries = await startExamples();
    const agents = openAgents({
      ...entries,
      down: { url: `http://127.0.0.1:${port}/secret-path`, custom_headers: { 'X-Key': 'secret-key' } },
      unset: { url: `http://127.0.0.1:${port}/`, custom_headers: { 'X-Key': '${HOLDWORD_NOT_SET}' } },
    });
    const shown = JSON.stringify([
      await agents.getAgentsForLlm('full'),
      await agents.getFailures(),
      await agents.getAgentForLlm('down').catch((error: Error) => error.message),
    ]);
    expect(shown).not.toMatch(/127\.0\.0\.1|secret|tok_123|https?:/);
    expect(await agents.getAgentsForLlm()).toMatchObject({
      'code-reviewer': { name: 'Code Reviewer' },
      down: {
        error:
          'The card of agent "down" could not be fetched: the connection was refused. Check that the agent is running, then try again.',
      },
      unset: { error: expect.stringContaining('environment variable HOLDWORD_NOT_SET') as string },
    });
  });
});

describe('what a program sees', () => {
  test('card and headers', async () => {
    const agents = openAgents(await startExamples());
    expect(await agents.getAgent('language-translator')).toMatchObject({
      agentCard: {
        name: 'Universal Translator',
        description: 'Translate text and audio between 50+ languages',
        url: 'https://translate.example.com/a2a',
        version: '1.0.0',
        capabilities: { streaming: true, pushNotifications: false },
        skills: [{ id: 'translate-text', examples: ["Translate 'hello' to French"] }, {}],
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain'],
      },
      customHeaders: { Authorization: 'Bearer tok_123' },
    });
    expect(await agents.getAgent('nobody')).toBeNull();
  });

  test('a 1.0 card has the url field of 0.3', async () => {
    const agents = openAgents(await startExamples());
    expect((await agents.getAgent('code-reviewer'))?.agentCard).toMatchObject({
      url: 'https://review.example.com/a2a',
      supportedInterfaces: REVIEWER.supportedInterfaces,
    });
  });

  test('unreachable agents are omitted, and their failures are reported', async () => {
    const port = await freePort();
    const agents = openAgents({ ...(await startExamples()), down: { url: `http://127.0.0.1:${port}/` } });
    expect(Object.keys(await agents.getAgents())).toEqual(['code-reviewer', 'language-translator']);
    expect(await agents.getFailures()).toEqual({ down: expect.stringContaining('refused') as string });
  });
});

describe('entries', () => {
  test('from a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdword-agents-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'agents.json');
    await writeFile(file, JSON.stringify(await startExamples()));
    expect(openAgents(file).agentIds).toEqual(['code-reviewer', 'language-translator']);
    await writeFile(file, '{');
    expect(() => new A2AAgents(file)).toThrow(/^The agents file .*agents\.json is not valid JSON, at 1:2\. /);
    expect(() => new A2AAgents(join(folder, 'none.json'))).toThrow(
      /^The agents file .*none\.json does not exist\. Check the path\.$/,
    );
    expect(() => new A2AAgents(folder)).toThrow(/^The agents file .* is a folder\. /);
  });

  test('none at first, added later', async () => {
    const agents = openAgents(undefined);
    expect(await agents.getAgents()).toEqual({});
    const { 'code-reviewer': entry } = await startExamples();
    await agents.addAgent('code-reviewer', entry?.url ?? '', { 'X-API-Key': 'key_123' });
    expect(await agents.getAgent('code-reviewer')).toMatchObject({
      customHeaders: { 'X-API-Key': 'key_123' },
    });
    await expect(agents.addAgent('code-reviewer', 'https://a.example/')).rejects.toThrow(
      'Agent "code-reviewer" is already registered.',
    );
  });

  test.each([
    [{ a: { url: 'ftp://a.example/' } }, 'a.url: expected an http or https URL, found "ftp://a.example/".'],
    [{ a: { url: 'ftp://user:secret@a.example/' } }, 'a.url: expected an http or https URL, found a string.'],
    [{ a: {} }, 'a.url: expected an http or https URL, found nothing.'],
    [{ a: 'https://a.example/' }, 'a: expected an object with a url, found a string.'],
    [
      { a: { url: 'https://a.example/', custom_header: {} } },
      'a: unknown key "custom_header", did you mean "custom_headers"?; valid keys are url, custom_headers, trusted_origins.',
    ],
    [
      { a: { url: 'https://a.example/', custom_headers: { 'A B': 'x' } } },
      'a.custom_headers.A B: expected the name of an HTTP header, found "A B".',
    ],
    [
      { a: { url: 'https://a.example/', custom_headers: { A: 'x\r\nB: y' } } },
      'a.custom_headers.A: expected a header without line breaks.',
    ],
    [{ a: { url: 'https://a.example/', custom_headers: { A: 7 } } }, 'A: expected a string, found a number.'],
    [{ a: { url: 'https://a.example/', trusted_origins: ['https://b.example/x'] } }, 'expected an origin'],
    [[], 'Invalid agents: expected an object with agents by their ids, found an array.'],
  ])('%j is rejected', (entries, message) => {
    expect(() => readAgentEntries(entries)).toThrow(message);
  });
});

describe('cards', () => {
  test('are fetched on first use, once for all waiting callers, and with the headers', async () => {
    const server = await startWebServer((_, response) => response.end(JSON.stringify(REVIEWER)));
    const agents = openAgents(
      { a: { url: `${server.origin}/card`, custom_headers: { 'X-Key': 'k-${KEY}' } } },
      { environment: { KEY: '7' } },
    );
    expect(server.requests).toHaveLength(0);
    await Promise.all([agents.getAgents(), agents.getAgent('a'), agents.getAgentsForLlm()]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]?.headers).toMatchObject({ 'x-key': 'k-7', 'a2a-version': '1.0' });
  });

  test('of a URL without a path are fetched from the standard paths', async () => {
    const server = await startWebServer((request, response) => {
      if (request.url === '/.well-known/agent.json') response.end(JSON.stringify(toLegacyCard(REVIEWER)));
      else response.writeHead(404).end();
    });
    const agents = openAgents({ a: { url: server.origin } });
    expect(await agents.getAgentForLlm('a', 'name')).toEqual({ name: 'Code Reviewer' });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/.well-known/agent-card.json',
      '/.well-known/agent.json',
    ]);
  });

  test('are fetched again after a failure', async () => {
    const port = await freePort();
    const agents = openAgents({ a: { url: `http://127.0.0.1:${port}/card` } });
    await expect(agents.getAgent('a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await startWebServer((_, response) => response.end(JSON.stringify(REVIEWER)), port);
    expect(await agents.getAgentForLlm('a', 'name')).toEqual({ name: 'Code Reviewer' });
  });

  test('are retried twice after transient errors', async () => {
    let failures = 2;
    const server = await startWebServer((_, response) => {
      if ((failures -= 1) >= 0) response.writeHead(503).end();
      else response.end(JSON.stringify(REVIEWER));
    });
    const agents = openAgents({ a: { url: `${server.origin}/card` } });
    expect(await agents.getAgentForLlm('a', 'name')).toEqual({ name: 'Code Reviewer' });
    expect(server.requests).toHaveLength(3);
  });

  test('are revalidated by ETag, and used when stale if the agent is unreachable', async () => {
    const answers = ['fresh', 'unchanged', 'away', 'away', 'away', 'changed'];
    const server = await startWebServer((_, response) => {
      const answer = answers.shift();
      if (answer === 'unchanged') response.writeHead(304).end();
      else if (answer === 'away') response.writeHead(503).end();
      else {
        const card = answer === 'changed' ? TRANSLATOR : REVIEWER;
        response.writeHead(200, { ETag: '"1"' }).end(JSON.stringify(card));
      }
    });
    const agents = openAgents({ a: { url: `${server.origin}/card` } });
    const name = async (): Promise<unknown> => {
      agents.expireCard('a');
      return (await agents.getAgentForLlm('a', 'name'))?.['name'];
    };
    expect([await name(), await name(), await name(), await name()]).toEqual([
      'Code Reviewer',
      'Code Reviewer',
      'Code Reviewer',
      'Universal Translator',
    ]);
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      '"1"',
      '"1"',
      '"1"',
      '"1"',
      '"1"',
    ]);
  });

  test('are rejected if they are invalid', async () => {
    const server = await startWebServer((_, response) => response.end('<html>'));
    const agents = openAgents({ a: { url: `${server.origin}/card` } });
    await expect(agents.getAgent('a')).rejects.toMatchObject({
      code: 'INVALID_AGENT_RESPONSE',
      message: expect.stringMatching(
        /^The card of agent "a" could not be fetched: The agent's response is not valid JSON\./,
      ) as string,
    });
  });

  test('are missed at an address that has none, with what to check', async () => {
    const server = await startWebServer((_, response) => response.writeHead(404).end());
    await expect(openAgents({ a: { url: server.origin } }).getAgent('a')).rejects.toMatchObject({
      code: 'METHOD_NOT_FOUND',
      message:
        'The card of agent "a" could not be fetched: nothing is published at this address. Check the URL of agent "a".',
    });
  });

  test('that an error of the program keeps away are not worth another try', () => {
    const cause = new TypeError('Promise.withResolvers is not a function');
    const error = cardFailure('a', cause);
    expect(error).toMatchObject({ code: 'INTERNAL', cause });
    expect(error.message).toContain('an unexpected error in the client, not in the agent');
    expect(error.message).not.toMatch(/try again/i);
  });

  test('time out', async () => {
    const server = await startWebServer(() => {});
    const agents = openAgents({ a: { url: `${server.origin}/card` } }, { cardTimeout: 0.1 });
    await expect(agents.getAgent('a')).rejects.toThrow('the request timed out');
    const leaving = new AbortController();
    const waiting = agents.connect('a', leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});

test('an unregistered agent cannot be connected to', async () => {
  await expect(openAgents(await startExamples()).connect('nobody')).rejects.toThrow(
    'There is no agent "nobody". Agents: code-reviewer, language-translator.',
  );
});

test('a card that is redirected within its origin is fetched there', async () => {
  const { origin } = await startWebServer((request, response) => {
    if (request.url === '/moved/card.json') response.end(JSON.stringify(REVIEWER));
    else response.writeHead(301, { location: '/moved/card.json' }).end();
  });
  await expect(openAgents({ moved: { url: origin } }).getAgent('moved')).resolves.toMatchObject({
    agentCard: { name: REVIEWER.name },
  });
});

test.each([
  [
    'https://new.example/card.json',
    'redirected to https://new.example/card.json, and only redirects to the same origin are followed. If you trust that address, use it as the URL',
  ],
  ['/', 'redirected again and again'],
  ['file:///etc/passwd', 'redirected, but not to an address on the web'],
])('a card that is redirected to %s is explained', async (location, explanation) => {
  const { origin } = await startWebServer((_, response) => response.writeHead(301, { location }).end());
  const failures = await openAgents({ moved: { url: origin } }).getFailures();
  expect(failures['moved']).toContain(explanation);
});
