import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { hasErrorCode } from '@holdword/protocol/internal';
import { replaceSharedFile } from '@holdword/store/internal';
import type { Command, CommandInput, OptionDescription } from '../command-line/command.ts';
import { membersAt, replaceMember } from '../config/json5-members.ts';
import { findConfigFile, OPENCLAW_OPTION, runOpenClaw } from '../openclaw/openclaw-command.ts';
import { INBOUND as PLUGIN, keptAccountsFile } from '../openclaw/openclaw-config.ts';
import { CommandError } from '../usage-error.ts';
import { listed } from './command-list.ts';

/*
 * OpenClaw validates channels.a2a against the schema of its bundled channel while the plugin is not installed or not
 * enabled, and then refuses every change of its configuration because of `accounts`, including the installation. These
 * commands move the accounts to another file for that time.
 */

const SECTION = ['channels', 'a2a'] as const;
const PAGE = 'guides/serve-openclaw-as-a-channel.md';

const OPTIONS = {
  yes: { description: 'Answer the questions of OpenClaw with yes' },
  openclaw: OPENCLAW_OPTION,
} satisfies Record<string, OptionDescription>;

const OPTIONS_OF_TRUST = {
  ...OPTIONS,
  yes: {
    description:
      'Answer the questions of OpenClaw with yes: that you trust the source and what the plugin may do',
  },
} satisfies Record<string, OptionDescription>;

const install: Command = {
  ...listed('openclaw install'),
  details:
    'OpenClaw rejects channels.a2a.accounts while the plugin is not installed. The accounts are moved to a file next to its configuration, ' +
    'the plugin is installed and enabled, and the accounts are put back. If the installation fails, the configuration stays as it was.',
  options: {
    ...OPTIONS_OF_TRUST,
    pin: { description: 'Record the exact version; for a SOURCE on npm' },
  },
  examples: [
    {
      comment: 'Install from npm',
      command: 'holdword openclaw install @holdword/openclaw-a2a-inbound --pin',
    },
  ],
  page: PAGE,
  async run(input) {
    const [source = ''] = input.operands;
    const configFile = await findConfigFile(input);
    const aside = await setAside(input, configFile);
    await orRestore(input, aside, [
      'plugins',
      'install',
      source,
      ...('pin' in input.options ? ['--pin'] : []),
      ...agreed(input, '--force', '--accept-capabilities'),
    ]);
    // A plugin that was disabled or removed before stays disabled.
    if (await isDisabled(configFile, ['plugins', 'entries', PLUGIN])) await enablePlugin(input);
    await putBack(input, configFile);
    return 0;
  },
};

const enable: Command = {
  ...listed('openclaw enable'),
  options: OPTIONS_OF_TRUST,
  examples: [{ comment: 'Serve callers again', command: 'holdword openclaw enable' }],
  page: PAGE,
  async run(input) {
    const configFile = await findConfigFile(input);
    await refuseSwitchedOff(configFile);
    await enablePlugin(input);
    await putBack(input, configFile);
    return 0;
  },
};

const disable: Command = {
  ...listed('openclaw disable'),
  details:
    'To stop serving the callers of a single account, set channels.a2a.accounts.NAME.enabled to false instead.',
  options: OPTIONS,
  examples: [{ comment: 'Return to the bundled channel of OpenClaw', command: 'holdword openclaw disable' }],
  page: PAGE,
  async run(input) {
    const configFile = await findConfigFile(input);
    const aside = await setAside(input, configFile);
    await orRestore(input, aside, ['plugins', 'disable', PLUGIN]);
    tellKept(input, configFile, 'holdword openclaw enable');
    return 0;
  },
};

const uninstall: Command = {
  ...listed('openclaw uninstall'),
  details: 'The stored tasks are not deleted.',
  options: OPTIONS,
  examples: [
    { comment: 'Remove the plugin without questions', command: 'holdword openclaw uninstall --yes' },
  ],
  page: PAGE,
  async run(input) {
    const configFile = await findConfigFile(input);
    const aside = await setAside(input, configFile);
    await orRestore(input, aside, ['plugins', 'uninstall', PLUGIN, ...agreed(input, '--force')]);
    tellKept(input, configFile, 'holdword openclaw install SOURCE');
    return 0;
  },
};

export const commands: readonly Command[] = [install, enable, disable, uninstall];

/** Accounts that were moved out of the configuration. */
interface Aside {
  readonly configFile: string;
  readonly before: string;
  readonly after: string;
  /** A file that `openclaw config patch` accepts. */
  readonly keptIn: string;
}

/** Moves the accounts to a file. Undefined if there are none. The copy is on disk before the configuration changes. */
async function setAside(input: CommandInput, configFile: string): Promise<Aside | undefined> {
  const before = await readIfThere(configFile);
  if (before === undefined) return undefined;
  const cut = cutAccounts(configFile, before);
  if (cut === undefined) return undefined;
  const keptIn = keptAccountsFile(configFile);
  if (existsSync(keptIn)) await rename(keptIn, `${keptIn}.${new Date().toISOString().replaceAll(':', '-')}`);
  await replaceSharedFile(keptIn, (handle) => handle.writeFile(cut.patch));
  await replaceSharedFile(configFile, (handle) => handle.writeFile(cut.after));
  input.terminal.out(`Moved channels.a2a.accounts from ${configFile} to ${keptIn}.\n`);
  return { configFile, before, after: cut.after, keptIn };
}

/**
 * The configuration without the accounts, and a patch that puts them back. The whole section goes if nothing else is in it,
 * because OpenClaw would start its bundled channel for the rest. A switch for the whole channel does not come back: OpenClaw
 * would refuse the accounts next to `enabled: false`.
 */
function cutAccounts(configFile: string, text: string): { after: string; patch: string } | undefined {
  try {
    const members = membersAt(text, SECTION) ?? [];
    const accounts = members.find(({ name }) => name === 'accounts');
    if (accounts === undefined) return undefined;
    const isMixed = members.some(({ name }) => name !== 'accounts' && name !== 'enabled');
    const section = membersAt(text, SECTION.slice(0, 1))?.find(({ name }) => name === SECTION[1]);
    const member = isMixed || section === undefined ? accounts : section;
    // OpenClaw takes a file that shrinks by half for a damaged one and restores its backup, so the bytes stay.
    const comment = `/* Moved to ${keptAccountsFile(configFile)}: ${member.value.replaceAll('*/', '* /')} */`;
    return {
      after: replaceMember(text, member, comment),
      patch: `{ channels: { a2a: { accounts: ${accounts.value} } } }\n`,
    };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandError(`${configFile} is not valid JSON5: ${error.message}. Fix it, then try again.`);
  }
}

/** Runs OpenClaw. If it fails, the accounts are put back where they were, unless OpenClaw has changed the file since. */
async function orRestore(
  input: CommandInput,
  aside: Aside | undefined,
  words: readonly string[],
): Promise<void> {
  const code = await runOpenClaw(input, words);
  if (code === 0) return;
  let now = 'The configuration is as it was.';
  if (aside !== undefined) {
    const { configFile, before, after, keptIn } = aside;
    if ((await readIfThere(configFile)) === after) {
      await replaceSharedFile(configFile, (handle) => handle.writeFile(before));
      await rm(keptIn);
    } else {
      now = `The accounts are in ${keptIn}; put them back with: openclaw config patch --file ${keptIn}`;
    }
  }
  throw new CommandError(`openclaw ${words.join(' ')} failed (exit code ${code}); see above. ${now}`);
}

async function isDisabled(file: string, path: readonly string[]): Promise<boolean> {
  const members = membersAt((await readIfThere(file)) ?? '', path) ?? [];
  return members.some(({ name, value }) => name === 'enabled' && value === 'false');
}

/** OpenClaw uses the schema of its bundled channel, which has no accounts, while the whole channel is switched off. */
async function refuseSwitchedOff(configFile: string): Promise<void> {
  const keptIn = keptAccountsFile(configFile);
  for (const file of [configFile, keptIn]) {
    const members = membersAt((await readIfThere(file)) ?? '', SECTION) ?? [];
    const hasAccounts = existsSync(keptIn) || members.some(({ name }) => name === 'accounts');
    if (hasAccounts && (await isDisabled(file, SECTION))) {
      throw new CommandError(
        `channels.a2a.enabled is false in ${file}, and OpenClaw refuses accounts next to it. Remove that line, then run: ` +
          'holdword openclaw enable. To stop a single account, set channels.a2a.accounts.NAME.enabled to false.',
      );
    }
  }
}

async function enablePlugin(input: CommandInput): Promise<void> {
  const words = ['plugins', 'enable', PLUGIN, ...agreed(input, '--accept-capabilities')];
  await orRestore(input, undefined, words);
}

/** Puts back the accounts that this or an earlier command has moved, if there are any. */
async function putBack(input: CommandInput, configFile: string): Promise<void> {
  const keptIn = keptAccountsFile(configFile);
  if (!existsSync(keptIn)) return;
  await refuseSwitchedOff(configFile);
  const code = await runOpenClaw(input, ['config', 'patch', '--file', keptIn]);
  if (code !== 0) {
    throw new CommandError(
      `OpenClaw did not accept the accounts in ${keptIn}; see above. Correct that file, then run: openclaw config patch --file ${keptIn}`,
    );
  }
  await rename(keptIn, `${keptIn}.bak`);
  input.terminal.out(`Put channels.a2a.accounts back. A copy is in ${keptIn}.bak.\n`);
}

function tellKept({ terminal }: CommandInput, configFile: string, next: string): void {
  const keptIn = keptAccountsFile(configFile);
  if (existsSync(keptIn)) terminal.out(`The accounts are kept in ${keptIn}. To use them again: ${next}\n`);
  else terminal.out(`There are no accounts of this plugin in ${configFile}, so there was nothing to keep.\n`);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw new CommandError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** What makes OpenClaw ask nothing, if the user agreed beforehand. */
function agreed({ options }: CommandInput, ...flags: string[]): string[] {
  return 'yes' in options ? flags : [];
}
