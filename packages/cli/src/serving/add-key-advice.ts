import type { Config } from '../config/config-schema.ts';
import { hasPassword } from '../config/hide-secrets.ts';
import { dataFolder, storeLocation } from './store-location.ts';

/** What makes a server with this configuration know its callers, as the end of a sentence. */
export function addKeyAdvice(config: Config, workingFolder: string): string {
  if (config.authentication?.apiKeys === false) {
    return 'let API keys count: the configuration says "apiKeys": false.';
  }
  if (storeLocation(config, workingFolder).kind === 'memory') {
    return 'make an API key in a store that keeps it: --store memory does not.';
  }
  return `make an API key and start again: ${addKeyCommand(config, workingFolder)}`;
}

/** The command that makes a key where the server looks for it. Passwords are left to the reader. */
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
