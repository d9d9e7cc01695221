import { describe, expect, test } from 'vitest';
import { exampleAccount } from '../testing/example-account.ts';
import { readAccounts, type AccountEntry } from './read-accounts.ts';

/** The example of the plugin's documentation, key by key. */
const EXAMPLE = { accounts: { default: exampleAccount('/var/lib/openclaw/a2a-tasks') } };

const PUBLIC = { publicBaseUrl: 'https://agents.example.com' };
const DIGEST = 'ab'.repeat(32);

function onlyAccount(account: object): AccountEntry {
  const entries = readAccounts({ accounts: { default: account } });
  expect(entries).toHaveLength(1);
  return entries[0] as AccountEntry;
}

function problemsOf(account: object): readonly string[] {
  const { config, problems } = onlyAccount(account);
  expect(config).toBeUndefined();
  return problems;
}

describe('an account', () => {
  test('is read from the documented example', () => {
    expect(readAccounts(EXAMPLE)).toEqual([
      {
        accountId: 'default',
        enabled: true,
        problems: [],
        warnings: [],
        config: {
          ...EXAMPLE.accounts.default,
          accountId: 'default',
          restPath: '/a2a/rest',
          skills: [{ id: 'chat', name: 'Chat', description: 'Chat', tags: [] }],
          features: { rest: false, push: false, files: false, extendedCard: false },
          pushAllowPrivate: [],
          auth: {
            required: false,
            peers: {},
            anonymous: { requestsPerMinute: 600, concurrentTurns: 8 },
          },
        },
      },
    ]);
  });

  test('without keys has every default, and no public URL', () => {
    expect(onlyAccount({}).config).toEqual({
      accountId: 'default',
      enabled: true,
      defaultAgentId: 'main',
      agentCardPath: '/.well-known/agent-card.json',
      jsonRpcPath: '/a2a/jsonrpc',
      restPath: '/a2a/rest',
      maxBodyBytes: 1048576,
      defaultInputModes: ['text/plain', 'application/json'],
      defaultOutputModes: ['text/plain', 'application/json'],
      agentStyle: 'hybrid',
      taskStore: { kind: 'memory' },
      skills: [{ id: 'chat', name: 'Chat', description: 'Talk with the agent.', tags: ['chat'] }],
      features: { rest: false, push: false, files: false, extendedCard: false },
      pushAllowPrivate: [],
      auth: { required: false, peers: {}, anonymous: { requestsPerMinute: 600, concurrentTurns: 8 } },
    });
  });

  test.each([
    ['https://agents.example.com/', 'https://agents.example.com'],
    ['https://example.com/gateway/', 'https://example.com/gateway'],
    ['http://127.0.0.1:18789', 'http://127.0.0.1:18789'],
  ])('has the public URL %s as %s', (given, url) => {
    expect(onlyAccount({ publicBaseUrl: given }).config?.publicBaseUrl).toBe(url);
  });

  test.each([
    ['agents.example.com', 'expected a URL such as https://agents.example.com, found "agents.example.com"'],
    ['', 'expected a URL such as https://agents.example.com, found ""'],
    ['ftp://agents.example.com', 'expected a URL that begins with http:// or https://'],
    ['https://me:secret@agents.example.com', 'expected a URL without user and password'],
    ['https://agents.example.com/?a=1', 'expected a URL without ? and #'],
  ])('with the public URL "%s" says what is wrong with it', (publicBaseUrl, problem) => {
    const [text] = problemsOf({ publicBaseUrl });
    expect(text).toContain(`channels.a2a.accounts.default.publicBaseUrl: ${problem}`);
    expect(text).not.toContain('secret');
  });

  test.each([
    [{ kind: 'memory' }],
    [{ kind: 'json-file', path: '/var/lib/tasks' }],
    [{ kind: 'sqlite', path: '/var/lib/tasks' }],
    [{ kind: 'postgres', url: 'postgres://me@db/tasks', schema: 'a2a' }],
  ])('keeps its tasks in %j', (taskStore) => {
    expect(onlyAccount({ taskStore }).config?.taskStore).toEqual(taskStore);
  });

  test.each([
    [{ restPath: '/rest' }, 'channels.a2a.accounts.default: unknown key "restPath"; valid keys are'],
    [
      { capabilities: {} },
      'channels.a2a.accounts.default: unknown key "capabilities"; valid keys are enabled, label,',
    ],
    [{ publicBaseURL: 'https://x.example' }, 'unknown key "publicBaseURL"; did you mean "publicBaseUrl"?'],
    [{ agentStyle: 'eager' }, 'agentStyle: expected one of hybrid, task-generating, found "eager".'],
    [{ enabled: 'yes' }, 'enabled: expected true or false, found "yes".'],
    [{ maxBodyBytes: 0 }, 'maxBodyBytes: expected a number of bytes from 1 to 1073741824, found 0.'],
    [{ jsonRpcPath: 'a2a' }, 'jsonRpcPath: expected a path such as /a2a/jsonrpc, found "a2a".'],
    [{ jsonRpcPath: '/' }, 'jsonRpcPath: expected a path such as /a2a/jsonrpc, found "/".'],
    [{ agentCardPath: '/card?x' }, 'agentCardPath: expected a path such as /a2a/jsonrpc, found "/card?x".'],
    [{ taskStore: { kind: 'redis' } }, 'taskStore.kind: expected an object whose kind is memory, json-file,'],
    [{ taskStore: { kind: 'json-file' } }, 'taskStore.path: expected a string, found nothing.'],
    [{ taskStore: { kind: 'json-file', path: '' } }, 'taskStore.path: expected a non-empty string'],
    [{ taskStore: { kind: 'json-file', path: 'tasks' } }, 'taskStore.path: expected an absolute path'],
    [{ taskStore: { kind: 'sqlite', path: './tasks' } }, 'taskStore.path: expected an absolute path'],
    [{ taskStore: { kind: 'memory', path: '/tasks' } }, 'taskStore: unknown key "path"'],
    [{ skills: [{ id: 1 }] }, 'skills[0].id: expected a string, found 1.'],
    [{ defaultInputModes: [] }, 'defaultInputModes: expected at least one media type'],
    [{ defaultInputModes: ['image/png'] }, 'defaultInputModes: expected text/plain or application/json'],
    [
      { features: { grpc: true } },
      'features: unknown key "grpc"; valid keys are rest, push, files, extendedCard.',
    ],
    [{ features: { rest: 1 } }, 'features.rest: expected true or false, found 1.'],
    [{ jsonRpcPath: '/.well-known/agent-card.json' }, 'found /.well-known/agent-card.json twice'],
  ])('with %j says what is wrong', (account, problem) => {
    expect(problemsOf({ ...PUBLIC, ...account }).join('\n')).toContain(problem);
  });

  test('takes what the earlier plugin took, and says what has no effect', () => {
    const skills = [{ id: 'chat' }, { name: 'Chat' }, { id: '', name: 'Chat' }, { id: 'a', name: 'A' }];
    const { config, problems, warnings } = onlyAccount({
      ...PUBLIC,
      skills,
      originRoutingPolicy: 'suppress-generic-followup',
    });
    expect(problems).toEqual([]);
    expect(config?.skills).toEqual([{ id: 'a', name: 'A', description: 'A', tags: [] }]);
    expect(warnings).toEqual([
      expect.stringContaining('accounts.default.skills[0] is left out: expected a skill with id and name'),
      expect.stringContaining('skills[1] is left out'),
      expect.stringContaining('skills[2] is left out'),
      expect.stringContaining('accounts.default.originRoutingPolicy has no effect'),
    ]);
  });

  test('takes other media types once files are switched on, all of them unless it names some', () => {
    const all = ['text/plain', 'application/json', '*/*'];
    expect(onlyAccount({ features: { files: true } }).config).toMatchObject({
      defaultInputModes: all,
      defaultOutputModes: all,
    });
    const { config } = onlyAccount({ features: { files: true }, defaultInputModes: ['image/png'] });
    expect(config?.defaultInputModes).toEqual(['image/png']);
  });

  test('that is switched off is read, and in nobody’s way', () => {
    const entries = readAccounts({ accounts: { one: PUBLIC, two: { ...PUBLIC, enabled: false } } });
    expect(entries.map(({ enabled, problems }) => ({ enabled, problems }))).toEqual([
      { enabled: true, problems: [] },
      { enabled: false, problems: [] },
    ]);
  });
});

describe('peers', () => {
  test('have a key or a subject, and nothing beyond what their entry gives', () => {
    const { config } = onlyAccount({
      auth: {
        required: true,
        peers: {
          hermes: { keySha256: `sha256:${DIGEST.toUpperCase()}` },
          iris: {
            keySha256: [DIGEST.replaceAll('a', 'c'), DIGEST.replaceAll('a', 'd')],
            subject: 'iris@example.com',
            agentId: 'clerk',
            tools: ['web_search'],
            mayApprove: true,
            requestsPerMinute: 10,
            concurrentTurns: 2,
          },
          zeus: { subject: 'zeus', tools: 'all' },
        },
        jwt: { issuer: 'https://id.example.com', audience: 'a2a', jwksFile: '/etc/keys.json' },
        anonymous: { requestsPerMinute: 5 },
      },
    });
    expect(config?.auth).toEqual({
      required: true,
      peers: {
        hermes: { keyDigests: [DIGEST], tools: 'none', mayApprove: false },
        iris: {
          keyDigests: [DIGEST.replaceAll('a', 'c'), DIGEST.replaceAll('a', 'd')],
          subject: 'iris@example.com',
          agentId: 'clerk',
          tools: ['web_search'],
          mayApprove: true,
          requestsPerMinute: 10,
          concurrentTurns: 2,
        },
        zeus: { keyDigests: [], subject: 'zeus', tools: 'all', mayApprove: false },
      },
      jwt: { issuer: 'https://id.example.com', audience: 'a2a', jwks: { file: '/etc/keys.json' } },
      anonymous: { requestsPerMinute: 5, concurrentTurns: 8 },
    });
  });

  test.each([
    [{ peers: { Hermes: { keySha256: DIGEST } } }, 'expected a name of 1 to 64 lower-case letters'],
    [{ peers: { hermes: {} } }, 'auth.peers.hermes: expected keySha256 or subject'],
    [{ peers: { hermes: { keySha256: 'swordfish' } } }, 'keySha256: expected the SHA-256 digest of a key'],
    [{ peers: { hermes: { key: 'swordfish' } } }, 'auth.peers.hermes: unknown key "key"'],
    [{ peers: { hermes: { subject: 'hermes' } } }, 'auth.peers.hermes: expected auth.jwt beside a subject'],
    [
      { peers: { hermes: { keySha256: DIGEST }, iris: { keySha256: DIGEST.toUpperCase() } } },
      'auth.peers.iris: expected a credential of its own, found one of peer "hermes"',
    ],
    [{ peers: { hermes: { keySha256: DIGEST, tools: 'some' } } }, 'tools: expected "all" or a list of names'],
    [{ required: true }, 'auth.peers: expected at least one peer, found none: nobody could call'],
    [{ jwt: { issuer: 'i', audience: 'a' } }, 'auth.jwt: expected one of jwksUrl and jwksFile'],
  ])('as %j are refused', (auth, problem) => {
    const text = problemsOf({ auth }).join('\n');
    expect(text).toContain(problem);
    expect(text).not.toContain('swordfish');
  });
});

/** The second of two accounts on one database, the first of which has the schema `one`. */
function secondOnDatabase(schema: string): AccountEntry | undefined {
  const store = { kind: 'postgres', url: 'postgres://db/tasks' };
  const paths = { agentCardPath: '/two/card.json', jsonRpcPath: '/two' };
  return readAccounts({
    accounts: {
      one: { ...PUBLIC, taskStore: { ...store, schema: 'one' } },
      two: { ...PUBLIC, ...paths, taskStore: { ...store, schema } },
    },
  })[1];
}

describe('accounts beside each other', () => {
  test('need paths and stores of their own', () => {
    const taskStore = { kind: 'json-file', path: '/var/lib/tasks' };
    const entries = readAccounts({
      accounts: {
        one: { ...PUBLIC, taskStore },
        two: { ...PUBLIC, taskStore: { kind: 'sqlite', path: '/var/lib/../lib/tasks/' } },
      },
    });
    expect(entries[0]?.config).toBeDefined();
    expect(entries[1]?.problems).toEqual([
      expect.stringContaining('/.well-known/agent-card.json, which account "one" serves'),
      expect.stringContaining('/a2a/jsonrpc, which account "one" serves'),
      expect.stringContaining('expected a task store of its own, found that of account "one"'),
    ]);
  });

  test('need paths that are not below one of another account', () => {
    const entries = readAccounts({
      accounts: {
        one: { ...PUBLIC, features: { rest: true } },
        two: { ...PUBLIC, agentCardPath: '/two/card.json', jsonRpcPath: '/a2a/rest/two' },
      },
    });
    expect(entries[1]?.problems).toEqual([
      expect.stringContaining('/a2a/rest/two, which account "one" serves'),
    ]);
  });

  test('share a database in schemas of their own', () => {
    expect(secondOnDatabase('two')?.problems).toEqual([]);
    expect(secondOnDatabase('one')?.problems).toHaveLength(1);
    expect(secondOnDatabase('one')?.problems[0]).not.toContain('postgres://');
  });

  test('are not touched by what is wrong with one of them', () => {
    const entries = readAccounts({ accounts: { bad: { agentStyle: 'x' }, good: PUBLIC } });
    expect(entries.map(({ config }) => config?.accountId)).toEqual([undefined, 'good']);
  });
});

describe('the configuration of OpenClaw’s own channel', () => {
  const BUNDLED = {
    enabled: true,
    configWrites: false,
    advertisedUrl: 'https://openclaw.example.com/',
    replyTimeoutMs: 60_000,
    rateLimitPerMinute: 10,
    exposeAgents: ['main', 'clerk'],
    peers: { hermes: { token: 'swordfish', url: 'https://hermes.example.com/a2a/v1', outboundToken: 'x' } },
  };

  test('becomes an account with its address, peers and limits', () => {
    const agents = [{ id: 'ops' }, { id: 'main', name: 'Molty' }, { id: 'clerk' }];
    const [entry, ...others] = readAccounts(BUNDLED, agents);
    expect(others).toEqual([]);
    expect(entry?.problems).toEqual([]);
    expect(entry?.config).toMatchObject({
      accountId: 'default',
      publicBaseUrl: 'https://openclaw.example.com',
      unversionedJsonRpcPath: '/a2a/v1',
      legacyCardPath: '/.well-known/agent.json',
      agentStyle: 'task-generating',
      agentsByBinding: true,
      label: 'Molty',
      replyTimeoutMilliseconds: 60_000,
      skills: [
        { id: 'main', name: 'main', description: 'OpenClaw agent main.', tags: ['openclaw'] },
        { id: 'clerk' },
      ],
      auth: {
        required: true,
        peers: {
          hermes: {
            // printf swordfish | sha256sum
            keyDigests: ['b9f195c5cc7ef6afadbfbc42892ad47d3b24c6bc94bb510c4564a90a14e8b799'],
            tools: 'all',
            requestsPerMinute: 10,
          },
        },
      },
    });
    expect(JSON.stringify(entry)).not.toContain('swordfish');
  });

  test('keeps its defaults', () => {
    const [entry] = readAccounts({ peers: { hermes: { token: 'swordfish' } } });
    expect(entry?.config).toMatchObject({
      publicBaseUrl: 'request-origin',
      replyTimeoutMilliseconds: 120_000,
    });
    expect(entry?.config?.auth.peers['hermes']?.requestsPerMinute).toBe(30);
  });

  test('may have no limit', () => {
    const [entry] = readAccounts({ ...BUNDLED, rateLimitPerMinute: 0 });
    expect(entry?.config?.auth.peers['hermes']).not.toHaveProperty('requestsPerMinute');
  });

  test('shows all agents of the gateway unless it names some', () => {
    const { exposeAgents: _, ...rest } = BUNDLED;
    const agents = [{ id: 'ops' }, { id: 'clerk' }];
    expect(readAccounts(rest, agents)[0]?.config?.skills.map(({ id }) => id)).toEqual(['ops', 'clerk']);
    expect(readAccounts(rest)[0]?.config?.skills.map(({ id }) => id)).toEqual(['main']);
  });

  test('says which of its keys have no effect', () => {
    expect(readAccounts(BUNDLED)[0]?.warnings).toEqual([
      expect.stringContaining('channels.a2a.peers.hermes.url has no effect'),
    ]);
  });

  test('cannot make an account that is there already', () => {
    const [first] = readAccounts({ ...BUNDLED, accounts: { default: PUBLIC } });
    expect(first?.problems[0]).toContain('expected either accounts.default or');
  });

  test('stands beside accounts with other names and paths', () => {
    const other = { ...PUBLIC, agentCardPath: '/other/card.json' };
    const entries = readAccounts({ ...BUNDLED, accounts: { other } });
    expect(entries.map(({ accountId, problems }) => ({ accountId, problems }))).toEqual([
      { accountId: 'other', problems: [] },
      { accountId: 'default', problems: [] },
    ]);
  });

  test.each([
    [{ advertisedUrl: 'openclaw.example.com' }, 'advertisedUrl: expected a URL that begins with http://'],
    [
      { replyTimeoutMs: 1 },
      'replyTimeoutMs: expected a number of milliseconds from 5000 to 600000, found 1.',
    ],
    [{ peers: { hermes: {} } }, 'peers.hermes.token: expected a string, found nothing.'],
    [{ peers: {} }, 'channels.a2a.peers: expected at least one peer, found none'],
    [
      { peers: { hermes: { token: 'same' }, iris: { token: 'same' } } },
      'channels.a2a.peers.iris: expected a credential of its own, found one of peer "hermes"',
    ],
  ])('with %j says what is wrong', (change, problem) => {
    const [entry] = readAccounts({ ...BUNDLED, ...change });
    expect(entry?.config).toBeUndefined();
    expect(entry?.problems.join('\n')).toContain(problem);
  });
});

describe('the section', () => {
  test('that is absent has no accounts', () => {
    expect(readAccounts(undefined)).toEqual([]);
    expect(readAccounts({})).toEqual([]);
  });

  test('can be switched off as a whole', () => {
    expect(readAccounts({ enabled: false, ...EXAMPLE })[0]?.enabled).toBe(false);
  });

  test.each([
    [{ acounts: {} }, 'channels.a2a: unknown key "acounts"; did you mean "accounts"?'],
    ['a2a', 'channels.a2a: expected an object, found "a2a".'],
    [{ accounts: [] }, 'channels.a2a.accounts: expected an object with the accounts by name, found a list.'],
  ])('that is wrong shows up as an account that says so: %j', (section, problem) => {
    expect(readAccounts(section)).toEqual([
      { accountId: 'default', enabled: true, problems: [problem], warnings: [] },
    ]);
  });
});
