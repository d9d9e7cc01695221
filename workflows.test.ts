import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly name: string;
  readonly on: object;
  readonly permissions: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly { type: string; id: string; attributes: { label: string; options?: string[] } }[];
}

const github = join(import.meta.dirname, '.github');
const workflows = new Map(await readAll<Workflow>('workflows'));
const scripts: Record<string, string> = JSON.parse(
  await readFile(join(import.meta.dirname, 'package.json'), 'utf8'),
).scripts;

async function readAll<Content>(folder: string): Promise<[string, Content][]> {
  const names = (await readdir(join(github, folder))).filter((name) => name.endsWith('.yml'));
  return Promise.all(
    names.map(async (name): Promise<[string, Content]> => [
      name,
      // Strict: a key that is there twice is an error.
      parse(await readFile(join(github, folder, name), 'utf8'), { strict: true }),
    ]),
  );
}

describe.each([...workflows])('%s', (_, workflow) => {
  const jobs = Object.values(workflow.jobs);
  const commands = jobs.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

  test('grants its jobs what they need, and limits their time', () => {
    expect(workflow.permissions).toBeDefined();
    for (const job of jobs) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      for (const step of job.steps) expect([step.uses, step.run].filter(Boolean)).toHaveLength(1);
    }
  });

  test('runs commands that exist', async () => {
    for (const command of commands) {
      // What GitHub replaces is no shell.
      await promisify(execFile)('bash', ['-n', '-c', command.replaceAll(/\$\{\{.*?\}\}/g, 'x')]);
      for (const [, script = ''] of command.matchAll(/npm run ([\w:-]+)/g)) {
        expect(Object.keys(scripts)).toContain(script);
      }
      for (const [path] of command.matchAll(/\b(?:test|packages)\/[\w./-]*\w/g)) {
        expect(existsSync(join(import.meta.dirname, path)), path).toBe(true);
      }
    }
  });
});

test('packages are published with provenance, and without a token', () => {
  const { npm } = workflows.get('release.yml')?.jobs ?? {};
  expect(npm?.permissions).toMatchObject({ 'id-token': 'write' });
  expect(npm?.steps.map(({ run }) => run)).toContain('npm run release:publish -- --provenance');
  expect(JSON.stringify(npm)).not.toMatch(/NODE_AUTH_TOKEN|NPM_TOKEN|secrets\./);
});

test('both plugins are published to ClawHub, in categories that it has', async () => {
  const { publish } = workflows.get('clawhub.yml')?.jobs ?? {};
  const plugins = publish?.strategy?.matrix['include'] as { plugin: string; category: string }[];
  const folders = (await readdir(join(import.meta.dirname, 'packages'))).filter((name) =>
    name.startsWith('openclaw-'),
  );
  expect(plugins.map(({ plugin }) => plugin)).toEqual(folders);
  const categories = 'channels models memory context voice media web tools runtime gateway security other';
  for (const { category } of plugins) expect(categories.split(' ')).toContain(category);
});

test('the forms for issues have questions', async () => {
  const forms = (await readAll<Form>('ISSUE_TEMPLATE')).filter(([name]) => name !== 'config.yml');
  expect(forms.map(([name]) => name)).toEqual(['bug.yml', 'feature.yml']);
  for (const [name, form] of forms) {
    expect(form, name).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const ids = form.body.map(({ id }) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    for (const { type, attributes } of form.body) {
      expect(['textarea', 'input', 'dropdown']).toContain(type);
      expect(attributes.label).not.toBe('');
      expect(attributes.options !== undefined).toBe(type === 'dropdown');
    }
  }
});
