import type { Config } from '../config/config-schema.ts';
import {
  completeConfig,
  configFileName,
  resolveConfig,
  type ConfigSource,
} from '../config/resolve-config.ts';
import { addKeyCommand, checkBind, checkKeySet } from './authentication.ts';
import { checkAgent } from './load-agent.ts';
import { checkSigningKeys } from './runtime-options.ts';
import { checkAuditFile } from './start-observation.ts';

/**
 * Resolves the configuration and checks what only those parts of a server know that use it. Nothing is started or created.
 *
 * @throws UsageError for the first thing that is wrong
 */
export async function checkConfig(source: ConfigSource): Promise<Config> {
  const config = await resolveConfig(source);
  checkAgent(config, configFileName(source));
  await checkKeySet(config);
  const unknown = await checkBind(config, addKeyCommand(config, completeConfig({}, source)));
  if (unknown !== undefined) source.terminal.error(`${unknown}\n`);
  await checkSigningKeys(config);
  checkAuditFile(config);
  return config;
}
