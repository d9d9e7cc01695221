import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TlsSettings } from '@holdword/net/internal';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { UsageError } from '../usage-error.ts';
import type { CallSettings } from './call-settings.ts';

/** How TLS is set up, by the options; undefined if as usual. */
export async function readTls(
  settings: CallSettings,
  workingFolder: string,
): Promise<TlsSettings | undefined> {
  const read = async (name: string): Promise<string | undefined> => {
    const given = settings.sourced(name).at(-1);
    if (given === undefined) return undefined;
    try {
      return await readFile(resolve(workingFolder, given.value), 'utf8');
    } catch (error) {
      throw new UsageError(`${given.source}: cannot read ${given.value}: ${whyUnreadable(error)}.`);
    }
  };
  const [ca, cert, key] = await Promise.all([read('ca-cert'), read('client-cert'), read('client-key')]);
  if ((cert === undefined) !== (key === undefined)) {
    throw new UsageError('--client-cert and --client-key belong together: give both.');
  }
  const isInsecure = settings.isOn('insecure');
  if (ca === undefined && cert === undefined && !isInsecure) return undefined;
  return { ca, cert, key, ...(isInsecure && { rejectUnauthorized: false }) };
}

/** For hosts that the user did not name: they do not learn who calls. */
export function withoutIdentity(tls: TlsSettings | undefined): TlsSettings | undefined {
  return tls && { ca: tls.ca, rejectUnauthorized: tls.rejectUnauthorized };
}
