import { constants, existsSync } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HoldwordProcess } from '@holdword/cli/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { describeSettings } from '../../../packages/cli/src/config/describe-settings.ts';
import { CONFIG_OPTION } from '../../../packages/cli/src/config/resolve-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = join(root, 'deploy', 'docker');
const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');

/** The instructions of a Dockerfile, each on one line. */
async function instructions(): Promise<string[]> {
  const text = (await read('Dockerfile')).replaceAll(/\\\n\s*/g, '');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the image', () => {
  test('is built in two stages, and the second runs no package manager', async () => {
    const lines = await instructions();
    const second = lines.findLastIndex((line) => line.startsWith('FROM'));
    expect(lines.filter((line) => line.startsWith('FROM'))).toHaveLength(2);
    expect(lines.slice(second).join('\n')).not.toMatch(/\b(npm|apt-get|curl)\b/);
    const install = lines.slice(0, second).find((line) => line.includes('npm install')) ?? '';
    expect(install).toMatch(/npm install .*--omit=dev .*--ignore-scripts/);
    const cli = JSON.parse(await readFile(join(root, 'packages', 'cli', 'package.json'), 'utf8'));
    expect(install).toContain(` --workspace=${cli.name} `);
  });

  test('does not run as root, and has a health check', async () => {
    const lines = await instructions();
    const user = lines.findIndex((line) => line.startsWith('USER'));
    expect(lines[user]).toBe('USER node');
    expect(user).toBeLessThan(lines.findIndex((line) => line.startsWith('ENTRYPOINT')));
    expect(lines.find((line) => line.startsWith('HEALTHCHECK'))).toContain('http://127.0.0.1:4310/healthz');
  });

  test('has pinned bases and files that exist', async () => {
    const lines = await instructions();
    for (const line of lines.filter((each) => each.startsWith('FROM')))
      expect(line).toMatch(/node:24-[\w-]+/);
    const [, program = ''] = /ln -s \/opt\/holdword\/(\S+)/.exec(lines.join('\n')) ?? [];
    await access(join(root, program), constants.X_OK);
  });

  test('is sent only the sources', async () => {
    const ignored = (await readFile(join(root, '.dockerignore'), 'utf8')).trim().split('\n');
    expect(ignored[0]).toBe('*');
    const sent = ignored.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    expect(sent).toContain('packages');
    for (const name of sent) expect(existsSync(join(root, name)), name).toBe(true);
    expect(ignored).toContain('**/node_modules');
  });
});

describe('the guide', () => {
  test('starts a container whose card names the ports that it publishes', async () => {
    const page = await readFile(join(root, 'docs', 'guides', 'deploy', 'docker.md'), 'utf8');
    const [, line = ''] = /^docker run -d ((?:.*\\\n)*.*)$/m.exec(page) ?? [];
    const published = [...line.matchAll(/-p (\S+):\d+/g)].map(([, address = '']) => address);
    expect(published).toHaveLength(2);
    const data = await temporaryFolder();
    onTestFinished(() => data.remove());
    const environment = {
      ...variablesIn((await instructions()).find((each) => each.startsWith('ENV')) ?? ''),
      ...variablesIn(line),
      HOLDWORD_DATA: data.path,
    };
    await new HoldwordProcess(['keys', 'add', 'laptop'], { environment }).ended;
    const server = new HoldwordProcess(['serve', '--port', '0', '--grpc-port', '0'], { environment });
    onTestFinished(() => server.kill());
    await server.printed(/Ctrl-C/);
    const addresses = [...server.output().matchAll(/^ {2}(?:card|JSON-RPC|REST|gRPC) +(\S+)$/gm)].map(
      ([, address = '']) => address.replace(/^http:\/\//, '').replace(/\/.*$/, ''),
    );
    expect(addresses).toHaveLength(4);
    expect(published).toEqual(expect.arrayContaining([...new Set(addresses)]));
  });
});

/** `NAME=value` in an instruction or on a command line. */
function variablesIn(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/\b([A-Z_]+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

describe('the compose file', () => {
  test('names settings, files and services that exist', async () => {
    const compose = await read('compose.yaml');
    const variables = [
      CONFIG_OPTION.environment,
      ...describeSettings().map(({ commandLine }) => commandLine?.environment),
    ];
    const settings = [...compose.matchAll(/^ +(HOLDWORD_\w+):/gm)].map(([, name = '']) => name);
    expect(settings).toContain('HOLDWORD_STORE');
    expect(variables).toEqual(expect.arrayContaining(settings));
    for (const [, file = ''] of compose.matchAll(/- \.\/(\S+?):/g)) {
      expect(existsSync(join(folder, file)), file).toBe(true);
    }
    for (const [, service = ''] of (await read('nginx.conf')).matchAll(/^ +server (\S+?):/gm)) {
      expect(compose).toMatch(new RegExp(`^  ${service}:`, 'm'));
    }
  });

  test('contains no password', async () => {
    const passwords = [...(await read('compose.yaml')).matchAll(/PASSWORD: (.*)/g)].map(([, value]) => value);
    expect(passwords).toEqual(['${POSTGRES_PASSWORD}']);
  });
});
