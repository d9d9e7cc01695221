import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder of the package that a file belongs to, where it is one that npm has installed. */
const INSTALLED = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/;

/** The names and licenses of the packages that some files come from: whoever passes on the code passes these on too. */
export async function thirdPartyLicenses(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap((file) => INSTALLED.exec(file)?.[0] ?? []));
  const texts = await Promise.all([...folders].toSorted().map(describePackage));
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

async function describePackage(folder: string): Promise<string> {
  const { name, version, license }: { name: string; version: string; license?: string } = JSON.parse(
    await readFile(join(folder, 'package.json'), 'utf8'),
  );
  const file = (await readdir(folder)).find((each) => /^(licen[cs]e|copying)/i.test(each));
  const text = file === undefined ? '' : `\n${await readFile(join(folder, file), 'utf8')}`;
  return `${name} ${version}\nLicense: ${license ?? 'see below'}\n${text}`;
}
