import { describe, expect, test } from 'vitest';
import { exampleAccount } from '../testing/example-account.ts';
import { readAccounts, type AccountEntry } from './read-accounts.ts';

/** The example of the plugin's documentation, key by key. */
const EXAMPLE = { accounts: { default: exampleAccount('/var/lib/openclaw/a2a-tasks') } };

const PUBLIC = { publicBaseUrl: 'https://agents.example.com' };
const DIGEST = 'ab'.repeat(32);

const AGENTS = [{ id: 'main' }, { id: 'clerk' }];

function onlyAccount(account: object): AccountEntry {
  const entries = readAccounts({ accounts: { default: account } }, AGENTS);
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
          description: 'An OpenClaw agent.',
          agentsByBinding: false,
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

  test('without keys has all defaults and no public URL', () => {
    expect(onlyAccount({}).config).toEqual({
      accountId: 'default',
      enabled: true,
      description: 'An OpenClaw agent.',
      agentsByBinding: false,
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
    ['ftp://agents.example.com', 'expected a URL starting with http:// or https://'],
    ['https://me:secret@agents.example.com', 'expected a URL without user name and password'],
    ['https://agents.example.com/?a=1', 'expected a URL without query and fragment'],
  ])('with the public URL "%s" reports the problem', (publicBaseUrl, problem) => {
    const [text] = problemsOf({ publicBaseUrl });
    expect(text).toContain(`channels.a2a.accounts.default.publicBaseUrl: ${problem}`);
    expect(text).not.toContain('secret');
  });

  test.each([
    [{ kind: 'memory' }],
    [{ kind: 'json-file', path: '/var/lib/tasks' }],
    [{ kind: 'sqlite', path: '/var/lib/tasks' }],
    [{ kind: 'postgres', url: 'postgres://me@db/tasks', schema: 'a2a' }],
  ])('accepts the task store %j', (taskStore) => {
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
    [
      { jsonRpcPath: '/healthz' },
      'jsonRpcPath: expected a path that the gateway does not use itself, found "/healthz".',
    ],
    [{ agentCardPath: '/ready/card.json' }, 'agentCardPath: expected a path that the gateway does not use'],
    [{ agentCardPath: '/card?x' }, 'agentCardPath: expected a path such as /a2a/jsonrpc, found "/card?x".'],
    [{ taskStore: { kind: 'redis' } }, 'taskStore.kind: expected an object whose kind is memory, json-file,'],
    [{ taskStore: { kind: 'json-file' } }, 'taskStore.path: expected a string, found nothing.'],
    [{ taskStore: { kind: 'json-file', path: '' } }, 'taskStore.path: expected a non-empty string'],
    [{ taskStore: { kind: 'json-file', path: 'tasks' } }, 'taskStore.path: expected an absolute path'],
    [{ taskStore: { kind: 'sqlite', path: './tasks' } }, 'taskStore.path: expected an absolute path'],
    [
      { taskStore: { kind: 'redis', path: '/tasks' } },
      'taskStore.kind: expected an object whose kind is memory, json-file,',
    ],
    [
      { taskStore: { kind: 'memory', path: '/tasks' } },
      'taskStore: the key "path" does not belong to this kind; remove it, or choose another kind.',
    ],
    [{ skills: [{ id: 1 }] }, 'skills[0].id: expected a string, found 1.'],
    [{ defaultInputModes: [] }, 'defaultInputModes: expected at least one media type'],
    [{ defaultInputModes: ['image/png'] }, 'defaultInputModes: expected text/plain or application/json'],
    [
      { features: { grpc: true } },
      'features: unknown key "grpc"; valid keys are rest, push, files, extendedCard.',
    ],
    [{ features: { rest: 1 } }, 'features.rest: expected true or false, found 1.'],
    [{ jsonRpcPath: '/.well-known/agent-card.json' }, 'the path /.well-known/agent-card.json is used twice'],
  ])('with %j reports the problem', (account, problem) => {
    expect(problemsOf({ ...PUBLIC, ...account }).join('\n')).toContain(problem);
  });

  test('reports a tool that nothing on the gateway can have', () => {
    const tools = ['no_such_tool', 'reed', 'read'];
    const section = { accounts: { default: { auth: { peers: { ada: { keySha256: DIGEST, tools } } } } } };
    const warningsWith = (hasOtherTools: boolean): string =>
      (readAccounts(section, [{ id: 'main' }], { hasOtherTools })[0]?.warnings ?? []).join('\n');
    expect(warningsWith(false)).toContain(
      'tools[0]: OpenClaw has no tool "no_such_tool"; no plugin or MCP server',
    );
    expect(warningsWith(false)).toContain('tools[1]: OpenClaw has no tool "reed"; did you mean "read"?');
    expect(warningsWith(true)).not.toContain('no_such_tool');
  });

  test('accepts keys of the legacy plugin, and reports those without effect', () => {
    const skills = [{ id: 'chat' }, { name: 'Chat' }, { id: '', name: 'Chat' }, { id: 'a', name: 'A' }];
    const { config, problems, warnings } = onlyAccount({
      ...PUBLIC,
      skills,
      originRoutingPolicy: 'suppress-generic-followup',
    });
    expect(problems).toEqual([]);
    expect(config?.skills).toEqual([{ id: 'a', name: 'A', description: 'A', tags: [] }]);
    expect(warnings).toEqual([
      expect.stringContaining('accounts.default.skills[0] is ignored: a skill needs id and name'),
      expect.stringContaining('skills[1] is ignored'),
      expect.stringContaining('skills[2] is ignored'),
      expect.stringContaining('accounts.default.originRoutingPolicy has no effect'),
    ]);
  });

  test('accepts other media types if files are enabled, all of them by default', () => {
    const all = ['text/plain', 'application/json', '*/*'];
    expect(onlyAccount({ features: { files: true } }).config).toMatchObject({
      defaultInputModes: all,
      defaultOutputModes: all,
    });
    const { config } = onlyAccount({ features: { files: true }, defaultInputModes: ['image/png'] });
    expect(config?.defaultInputModes).toEqual(['image/png']);
  });

  test('that is disabled is read and causes no conflict', () => {
    const entries = readAccounts({ accounts: { one: PUBLIC, two: { ...PUBLIC, enabled: false } } });
    expect(entries.map(({ enabled, problems }) => ({ enabled, problems }))).toEqual([
      { enabled: true, problems: [] },
      { enabled: false, problems: [] },
    ]);
  });
});

describe('an account that connects to a host', () => {
  const connect = { host: 'https://host.example', token: 'holdword-worker_claw_abc' };

  test('needs no address, and knows its callers by their names at the host', () => {
    const auth = { required: true, peers: { ada: { hostCaller: 'key:ada' } } };
    const [entry] = readAccounts({ accounts: { default: { connect, auth } } });
    expect(entry?.problems).toEqual([]);
    expect(entry?.config).toMatchObject({ connect: { ...connect, slots: 4 }, publicBaseUrl: undefined });
    expect(entry?.config?.auth.peers['ada']?.hostCaller).toBe('key:ada');
  });

  test.each([
    [{ connect: { ...connect, host: 'http://host.example' } }, 'connect.host: expected an https URL'],
    [
      { connect: { ...connect, token: 'secret' } },
      'connect.token: expected a token, as "holdword agents add',
    ],
    [{ connect, ...PUBLIC }, 'connect: expected either publicBaseUrl or connect, found both'],
    [{ connect, auth: { peers: { ada: { keySha256: DIGEST } } } }, 'auth.peers.ada: expected hostCaller'],
    [{ ...PUBLIC, auth: { peers: { ada: { hostCaller: 'key:ada' } } } }, 'hostCaller requires connect'],
  ])('%j reports the problem, and never the token', (account, problem) => {
    const [text = ''] = readAccounts({ accounts: { default: account } })[0]?.problems ?? [];
    expect(text).toContain(problem);
    expect(text).not.toContain('secret');
  });

  test('warns of settings that are the host’s', () => {
    const [entry] = readAccounts({ accounts: { default: { connect, taskStore: { kind: 'memory' } } } });
    expect(entry?.warnings).toEqual([expect.stringContaining('taskStore has no effect with connect')]);
  });
});

describe('the agent that answers', () => {
  test.each(['main', 'CLERK'])('is an agent of the gateway: %s', (agentId) => {
    const peers = { ada: { keySha256: DIGEST, agentId } };
    expect(onlyAccount({ defaultAgentId: agentId, auth: { peers } }).problems).toEqual([]);
  });

  test('that does not exist is reported with the known ones', () => {
    const peers = { ada: { keySha256: DIGEST, agentId: 'g'.repeat(300) } };
    expect(problemsOf({ defaultAgentId: 'ghost', auth: { peers } })).toEqual([
      'channels.a2a.accounts.default.defaultAgentId: expected an agent of this gateway (main, clerk), found "ghost".',
      expect.stringMatching(
        /^channels\.a2a\.accounts\.default\.auth\.peers\.ada\.agentId: expected .*\(main, clerk\), found "g{199}…"\.$/,
      ),
    ]);
  });
});

describe('peers', () => {
  test('have a key or a subject, and only what their entry grants', () => {
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
            privateFiles: true,
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
        hermes: { keyDigests: [DIGEST], tools: 'none', privateFiles: false, mayApprove: false },
        iris: {
          keyDigests: [DIGEST.replaceAll('a', 'c'), DIGEST.replaceAll('a', 'd')],
          subject: 'iris@example.com',
          agentId: 'clerk',
          tools: ['web_search'],
          privateFiles: true,
          mayApprove: true,
          requestsPerMinute: 10,
          concurrentTurns: 2,
        },
        zeus: { keyDigests: [], subject: 'zeus', tools: 'all', privateFiles: false, mayApprove: false },
      },
      jwt: { issuer: 'https://id.example.com', audience: 'a2a', jwks: { file: '/etc/keys.json' } },
      anonymous: { requestsPerMinute: 5, concurrentTurns: 8 },
    });
  });

  test.each([
    [{ peers: { Hermes: { keySha256: DIGEST } } }, 'expected a name of 1 to 64 lower-case letters'],
    [{ peers: { hermes: {} } }, 'auth.peers.hermes: expected keySha256, subject or hostCaller'],
    [
      { peers: { hermes: { keySha256: 'swordfish' } } },
      'keySha256: expected the SHA-256 digest of a key as 64 hex digits, found a string of 9 characters.',
    ],
    [{ peers: { hermes: { key: 'swordfish' } } }, 'auth.peers.hermes: unknown key "key"'],
    [{ peers: { hermes: { subject: 'hermes' } } }, 'auth.peers.hermes: subject requires auth.jwt'],
    [
      { peers: { hermes: { keySha256: DIGEST }, iris: { keySha256: DIGEST.toUpperCase() } } },
      'auth.peers.iris: the peer has the same credential as peer "hermes"',
    ],
    [
      { peers: { hermes: { keySha256: DIGEST, tools: 'some' } } },
      'tools: expected "all" or a list of tool names',
    ],
    [{ required: true }, 'auth.peers: expected at least one peer, found none'],
    [{ jwt: { issuer: 'i', audience: 'a' } }, 'auth.jwt: expected either jwksUrl or jwksFile'],
  ])('as %j are rejected', (auth, problem) => {
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

describe('several accounts', () => {
  test('need separate paths and stores', () => {
    const taskStore = { kind: 'json-file', path: '/var/lib/tasks' };
    const entries = readAccounts({
      accounts: {
        one: { ...PUBLIC, taskStore },
        two: { ...PUBLIC, taskStore: { kind: 'sqlite', path: '/var/lib/../lib/tasks/' } },
      },
    });
    expect(entries[0]?.config).toBeDefined();
    expect(entries[1]?.problems).toEqual([
      expect.stringContaining('the path /.well-known/agent-card.json is already used by account "one"'),
      expect.stringContaining('the path /a2a/jsonrpc is already used by account "one"'),
      expect.stringContaining('the task store is already used by account "one"'),
    ]);
  });

  test('need paths that are not below a path of another account', () => {
    const entries = readAccounts({
      accounts: {
        one: { ...PUBLIC, features: { rest: true } },
        two: { ...PUBLIC, agentCardPath: '/two/card.json', jsonRpcPath: '/a2a/rest/two' },
      },
    });
    expect(entries[1]?.problems).toEqual([
      expect.stringContaining('the path /a2a/rest/two is already used by account "one"'),
    ]);
  });

  test('can share a database with separate schemas', () => {
    expect(secondOnDatabase('two')?.problems).toEqual([]);
    expect(secondOnDatabase('one')?.problems).toHaveLength(1);
    expect(secondOnDatabase('one')?.problems[0]).not.toContain('postgres://');
  });

  test('are not affected by an invalid one', () => {
    const entries = readAccounts({ accounts: { bad: { agentStyle: 'x' }, good: PUBLIC } });
    expect(entries.map(({ config }) => config?.accountId)).toEqual([undefined, 'good']);
  });
});

describe('the configuration of the bundled channel', () => {
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
    expect(entry?.config?.auth.peers['hermes']).toMatchObject({ requestsPerMinute: undefined });
  });

  test('shows all agents of the gateway by default', () => {
    const { exposeAgents: _, ...rest } = BUNDLED;
    const agents = [{ id: 'ops' }, { id: 'clerk' }];
    expect(readAccounts(rest, agents)[0]?.config?.skills.map(({ id }) => id)).toEqual(['ops', 'clerk']);
    expect(readAccounts(rest)[0]?.config?.skills.map(({ id }) => id)).toEqual(['main']);
  });

  test('reports keys without effect', () => {
    expect(readAccounts(BUNDLED)[0]?.warnings).toEqual([
      expect.stringContaining('channels.a2a.peers.hermes.url has no effect'),
    ]);
  });

  test('conflicts with an account of the same name', () => {
    const [first] = readAccounts({ ...BUNDLED, accounts: { default: PUBLIC } });
    expect(first?.problems[0]).toContain('accounts.default cannot be combined with');
  });

  test('can be combined with accounts of other names and paths', () => {
    const other = { ...PUBLIC, agentCardPath: '/other/card.json' };
    const entries = readAccounts({ ...BUNDLED, accounts: { other } });
    expect(entries.map(({ accountId, problems }) => ({ accountId, problems }))).toEqual([
      { accountId: 'other', problems: [] },
      { accountId: 'default', problems: [] },
    ]);
  });

  test.each([
    [{ advertisedUrl: 'openclaw.example.com' }, 'advertisedUrl: expected a URL starting with http://'],
    [
      { replyTimeoutMs: 1 },
      'replyTimeoutMs: expected a number of milliseconds from 5000 to 600000, found 1.',
    ],
    [{ peers: { hermes: {} } }, 'peers.hermes.token: expected a string, found nothing.'],
    [{ peers: {} }, 'channels.a2a.peers: expected at least one peer, found none'],
    [
      { peers: { hermes: { token: 'same' }, iris: { token: 'same' } } },
      'channels.a2a.peers.iris: the peer has the same credential as peer "hermes"',
    ],
  ])('with %j reports the problem', (change, problem) => {
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

  test('can be disabled as a whole', () => {
    expect(readAccounts({ enabled: false, ...EXAMPLE })[0]?.enabled).toBe(false);
  });

  test.each([
    [{ acounts: {} }, 'channels.a2a: unknown key "acounts"; did you mean "accounts"?'],
    ['a2a', 'channels.a2a: expected an object, found "a2a".'],
    [{ accounts: [] }, 'channels.a2a.accounts: expected an object of accounts by name, found a list.'],
  ])('that is invalid shows up as an account with the problem: %j', (section, problem) => {
    expect(readAccounts(section)).toEqual([
      { accountId: 'default', enabled: true, problems: [problem], warnings: [] },
    ]);
  });
});
