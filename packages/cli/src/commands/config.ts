import type { Command, CommandInput } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import { renderTable } from '../command-line/render-table.ts';
import type { Config } from '../config/config-schema.ts';
import { describeSettings, settingOptions } from '../config/describe-settings.ts';
import { hideSecrets } from '../config/read-text.ts';
import { completeConfig, CONFIG_OPTION, configFile, resolveConfig } from '../config/resolve-config.ts';
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
      await checkAll(await resolveConfig(input), input);
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

/** What only those parts of a server know that use it: loaded here, because help does not need them. */
async function checkAll(config: Config, input: CommandInput): Promise<void> {
  const { checkAgent } = await import('../serving/load-agent.ts');
  checkAgent(config);
  const { addKeyCommand, checkBind, checkKeySet } = await import('../serving/authentication.ts');
  await checkKeySet(config);
  const unknown = await checkBind(config, addKeyCommand(config, completeConfig({}, input)));
  if (unknown !== undefined) input.terminal.error(`${unknown}\n`);
  const { checkSigningKeys } = await import('../serving/runtime-options.ts');
  await checkSigningKeys(config);
  const { checkAuditFile } = await import('../serving/start-observation.ts');
  checkAuditFile(config);
}

const configShow: Command = {
  ...listed('config show'),
  details: 'Shows what a server would use, with passwords and the values of envVars masked.',
  options: OPTIONS,
  examples: [
    { comment: 'Show the settings of a server that is started here', command: 'holdword config show' },
    { comment: 'Print them as JSON', command: 'holdword config show --json' },
  ],
  page: 'reference/configuration.md',
  async run(input) {
    const config = withoutSecrets(await resolveConfig(input));
    printData(input, config, () => input.terminal.out(renderSettings(config, input)));
    return 0;
  },
};

function renderSettings(config: object, input: CommandInput): string {
  const rows = describeSettings()
    .map(({ path }) => [path, valueAt(config, path.split('.'))] as const)
    .filter(([, value]) => value !== undefined)
    .map(([path, value]) => [path, typeof value === 'string' ? value : JSON.stringify(value)]);
  return `${renderTable(['SETTING', 'VALUE'], rows)}\nFile: ${configFile(input) ?? 'none'}\n`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], value);
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
