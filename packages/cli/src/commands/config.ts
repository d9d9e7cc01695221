import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { renderTable } from '../command-line/render-table.ts';
import type { Config } from '../config/config-schema.ts';
import { describeSettings, settingOptions } from '../config/describe-settings.ts';
import { hideSecrets } from '../config/read-text.ts';
import {
  CONFIG_OPTION,
  configFile,
  resolveConfig,
  settingSources,
  valueAt,
} from '../config/resolve-config.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const OPTIONS = { ...JSON_OPTION, ...settingOptions(), config: CONFIG_OPTION };

const configCheck: Command = {
  ...listed('config check'),
  details:
    'Reads what a server would read: the file, the environment and the options. Exits with code 2 if something is wrong. ' +
    'A module with an agent is not loaded.',
  options: OPTIONS,
  examples: [
    { comment: 'Check holdword.config.json', command: 'holdword config check' },
    {
      comment: 'Check another file',
      command: 'holdword config check --config /etc/holdword/holdword.config.json',
    },
  ],
  page: 'reference/configuration.md',
  async run(input) {
    try {
      // Loaded here, because help does not need the parts of a server.
      const { checkConfig } = await import('../serving/check-config.ts');
      await checkConfig(input);
    } catch (error) {
      if (!(error instanceof UsageError) || input.options['json'] === undefined) throw error;
      printData(input, { valid: false, error: error.message }, () => {});
      return 2;
    }
    const file = configFile(input);
    printData(input, { valid: true, file: file ?? null }, () =>
      input.terminal.out(
        file === undefined
          ? 'The settings are valid. There is no configuration file.\n'
          : `The configuration is valid: ${file}\n`,
      ),
    );
    return 0;
  },
};

const configShow: Command = {
  ...listed('config show'),
  details:
    'Shows what a server would use and where each value comes from: an option, a variable, the file or the default. Passwords and the ' +
    'values of envVars are masked.',
  options: {
    ...OPTIONS,
    calls: { description: 'Show what commands that call agents use, such as send, instead' },
  },
  examples: [
    { comment: 'Show the settings of a server that is started here', command: 'holdword config show' },
    { comment: 'Show the settings of holdword send and its like', command: 'holdword config show --calls' },
    { comment: 'Print them as JSON', command: 'holdword config show --json' },
  ],
  page: 'reference/configuration.md',
  async run(input) {
    if (input.options['calls'] === 'true') return showCalls(input);
    const config = withoutSecrets(await resolveConfig(input));
    const sourceOf = await settingSources(input);
    const sources = Object.fromEntries(pathsIn(config).map((path) => [path, sourceOf(path)]));
    const file = configFile(input) ?? null;
    printData(input, { settings: config, sources, file }, () =>
      input.terminal.out(`${renderSettings(config, sources)}\nFile: ${file ?? 'none'}\n`),
    );
    return 0;
  },
};

/** The options of commands that call agents, with where each comes from. Credentials are masked. */
async function showCalls(input: CommandInput): Promise<number> {
  const { describeCallSettings } = await import('../calling/call-settings.ts');
  const settings = await describeCallSettings(input);
  printData(input, { settings }, () =>
    input.terminal.out(
      renderTable(
        ['OPTION', 'VALUE', 'FROM'],
        settings.map(({ name, value, source }) => [name, value, source]),
      ),
    ),
  );
  return 0;
}

/** The settings that have a value. */
function pathsIn(config: object): string[] {
  return describeSettings()
    .map(({ path }) => path)
    .filter((path) => valueAt(config, path.split('.')) !== undefined);
}

function renderSettings(config: object, sources: Readonly<Record<string, string>>): string {
  const rows = Object.entries(sources).map(([path, source]) => {
    const value = valueAt(config, path.split('.'));
    return [path, typeof value === 'string' ? value : JSON.stringify(value), source];
  });
  return renderTable(['SETTING', 'VALUE', 'FROM'], rows);
}

function withoutSecrets(config: Config): object {
  const masked = JSON.stringify(config, (name, value: unknown) => {
    if (name === 'envVars')
      return Object.fromEntries(Object.keys(Object(value)).map((each) => [each, '***']));
    return typeof value === 'string' ? hideSecrets(value) : value;
  });
  return JSON.parse(masked) as object;
}

export const commands: readonly Command[] = [configCheck, configShow];
