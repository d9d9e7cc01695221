import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

export interface Publishable {
  readonly name: string;
  readonly version: string;
  readonly tarball: string;
}

/**
 * Publishes tarballs with npm, in their order, and skips versions that the registry already has. Returns the names of what
 * was published.
 */
export async function publishPackages(
  packages: readonly Publishable[],
  npmArguments: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string[]> {
  const published: string[] = [];
  for (const { name, version, tarball } of packages) {
    if (await isPublished(name, version, environment)) continue;
    // A pre-release is for those who ask for it.
    const tag = version.includes('-') ? ['--tag', 'next'] : [];
    const words = ['publish', tarball, '--access', 'public', ...tag, ...npmArguments];
    const { code, output } = await npm(words, environment);
    process.stdout.write(output);
    if (code !== 0) {
      throw new Error(`npm publish failed for ${name}@${version}; run the command again to resume.`);
    }
    published.push(name);
  }
  return published;
}

async function isPublished(name: string, version: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  const words = ['view', `${name}@${version}`, 'version', '--json', '--prefer-online'];
  const { code, output } = await npm(words, environment);
  if (code === 0) return output.includes(version);
  if (/\bE404\b/.test(output)) return false;
  throw new Error(`The registry could not be asked for ${name}@${version}:\n${output}`);
}

async function npm(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; output: string }> {
  const child = spawn('npm', words, {
    stdio: ['inherit', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    env,
  });
  const closed = once(child, 'close');
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await closed;
  return { code, output: errors + printed };
}
