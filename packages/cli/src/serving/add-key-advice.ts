import type { Config } from '../config/config-schema.ts';
import { hasPassword } from '../config/hide-secrets.ts';
import { dataFolder, storeLocation } from './store-location.ts';

/** How to require authentication on a server with this configuration, as the end of a sentence. */
export function addKeyAdvice(config: Config, workingFolder: string): string {
  if (config.authentication?.apiKeys === false) {
    return 'enable API keys: the configuration sets "apiKeys" to false.';
  }
  if (storeLocation(config, workingFolder).kind === 'memory') {
    return 'create an API key in a persistent store: --store memory does not keep keys.';
  }
  return `create an API key and restart: ${addKeyCommand(config, workingFolder)}`;
}

/** The command that creates a key where the server looks for it, without the password of a database URL. */
export function addKeyCommand(config: Config, workingFolder: string): string {
  const { store, storeSchema } = config;
  const location = storeLocation(config, workingFolder);
  const folder = dataFolder(config, workingFolder);
  const words = ['holdword', 'keys', 'add', 'NAME'];
  if (location.kind !== 'postgres' && folder !== dataFolder({}, workingFolder)) words.push('--data', folder);
  if (store !== undefined) words.push('--store', hasPassword(store) ? 'URL' : store);
  if (storeSchema !== undefined) words.push('--store-schema', storeSchema);
  return words.map(quote).join(' ');
}

function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
