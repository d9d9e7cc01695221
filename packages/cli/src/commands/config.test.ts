import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';

test('shows every setting that has a value, from wherever it comes, and no secret', async () => {
  const folder = await makeHoldwordFolder({ HOLDWORD_STORE: 'postgres://ada:geheim@db/holdword' });
  const config = {
    port: 4400,
    agentOptions: { exec: { command: 'wc -w', envVars: { TOKEN: 'geheim' } } },
  };
  await writeFile(join(folder.path, 'holdword.config.json'), JSON.stringify(config));
  const { code, output } = await folder.run('config', 'show', '--card-name', 'Ada');
  expect(code).toBe(0);
  const file = join(folder.path, 'holdword.config.json');
  for (const row of [
    new RegExp(`^port +4400 +${file}$`, 'm'),
    /^card\.name +Ada +--card-name$/m,
    /^store +postgres:\/\/\*\*\*@db\/holdword +HOLDWORD_STORE$/m,
    /^limits\.queuedTurns +1000 +default$/m,
    /^agentOptions\.exec\.envVars +\{"TOKEN":"\*\*\*"\} +\S+$/m,
    new RegExp(`^File: ${file}$`, 'm'),
  ]) {
    expect(output).toMatch(row);
  }
  const json = await folder.run('config', 'show', '--json');
  expect(JSON.parse(json.output)).toMatchObject({
    settings: { port: 4400, grpcPort: 4401, limits: { queuedTurns: 1000 } },
    sources: { port: file, grpcPort: 'default', store: 'HOLDWORD_STORE' },
    file,
  });
  expect(output + json.output).not.toContain('geheim');
});

test('checks the file that a server would read', async () => {
  const folder = await makeHoldwordFolder();
  expect(await folder.run('config', 'check')).toMatchObject({
    code: 0,
    output: 'The settings are valid. There is no configuration file.\n',
  });
  const file = join(folder.path, 'holdword.config.json');
  await writeFile(file, '{ "agent": "./agent.mjs" }');
  const missing = await folder.run('config', 'check');
  expect(missing.output).toContain(`The agent module ${join(folder.path, 'agent.mjs')} does not exist.`);
  expect(missing.code).toBe(2);
  await writeFile(join(folder.path, 'agent.mjs'), 'throw new Error("is not run");');
  expect(await folder.run('config', 'check')).toMatchObject({
    code: 0,
    output: `The configuration is valid: ${file}\n`,
  });
  await writeFile(file, '{ "prot": 1 }');
  expect(await folder.run('config', 'check')).toMatchObject({
    code: 2,
    output: 'holdword: holdword.config.json:1:3: unknown key "prot"; did you mean "port"?\n',
  });
  expect(await folder.run('config', 'check', '--config', './holdword.config.json')).toMatchObject({
    code: 2,
    output: 'holdword: ./holdword.config.json:1:3: unknown key "prot"; did you mean "port"?\n',
  });
});

test.each([
  [
    '{ "publicUrl": "https://ada:geheim@agent.example" }',
    'publicUrl: expected a URL without user and password',
  ],
  [
    '{ "authentication": { "jwt": { "issuer": "i", "audience": "a", "jwksUrl": "https://ada:geheim@id.example" } } }',
    'jwksUrl: expected a URL without user and password',
  ],
  ['{ "card": { "signingKeyFile": "none.jwk" } }', 'none.jwk (card.signingKeyFile): it does not exist.'],
  ['{ "push": { "signingKeyFile": "holdword.config.json" } }', '(push.signingKeyFile): expected a private'],
  ['{ "port": 4400, "grpcPort": 4400 }', 'The HTTP port and the gRPC port are both 4400.'],
  ['{ "store": "postgres://ada:geheim@db:99999/x" }', 'found "postgres://***@db:99999/x".'],
])('finds in %s what a server would refuse', async (config, problem) => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'holdword.config.json'), config);
  for (const command of [['config', 'check'], ['serve']]) {
    const { code, output } = await folder.run(...command);
    expect(output).toContain(problem);
    expect(output).not.toContain('geheim');
    expect(code).toBe(2);
  }
});

test(
  'says that a server would not listen on a network address without a key',
  { timeout: 60_000 },
  async () => {
    const folder = await makeHoldwordFolder();
    const check = (...words: string[]) => folder.run('config', 'check', '--host', '0.0.0.0', ...words);
    const refused = {
      code: 2,
      output: expect.stringMatching(
        /Refusing to listen on 0\.0\.0\.0 .* restart: holdword keys add NAME/,
      ) as string,
    };
    expect(await check()).toMatchObject(refused);
    expect(await check('--store', 'memory')).toMatchObject({ code: 2 });
    expect(await check('--store', 'postgres://db.invalid/holdword')).toMatchObject({
      code: 0,
      output: expect.stringContaining('only if there is an API key in the database') as string,
    });
    await folder.run('keys', 'add', 'ada');
    expect(await check()).toMatchObject({ code: 0 });
  },
);

test('reports a problem once', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'holdword.config.json'), '{ "limits": { "bodyBytes": 1e99 } }');
  const { output } = await folder.run('config', 'check');
  expect(output.match(/limits\.bodyBytes/g)).toHaveLength(1);
});

test('as JSON, an invalid configuration is data too, with the exit code of a usage error', async () => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'holdword.config.json'), '{ "prot": 1 }');
  const { code, output } = await folder.run('config', 'check', '--json');
  expect(JSON.parse(output)).toEqual({
    valid: false,
    error: 'holdword.config.json:1:3: unknown key "prot"; did you mean "port"?',
  });
  expect(code).toBe(2);
});
