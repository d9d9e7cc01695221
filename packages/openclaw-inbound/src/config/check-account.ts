import type { AccountConfig } from './account-config.ts';

const PLAIN_INPUT_MODES: readonly string[] = ['text/plain', 'application/json'];

/** A rule that an account breaks, with the place inside the account. */
export interface BrokenRule {
  readonly path: readonly string[];
  readonly problem: string;
}

/** What no schema of a single field can see. */
export function checkAccount(config: AccountConfig): BrokenRule[] {
  return [...checkInputModes(config), ...checkRequired(config), ...checkPeers(config)];
}

function checkInputModes({ defaultInputModes, features }: AccountConfig): BrokenRule[] {
  if (features.files) return [];
  return defaultInputModes
    .filter((mode) => !PLAIN_INPUT_MODES.includes(mode))
    .map((mode) => ({
      path: ['defaultInputModes'],
      problem: `expected ${PLAIN_INPUT_MODES.join(' or ')}, found "${mode}"; other types come as files: switch features.files on`,
    }));
}

function checkRequired({ auth }: AccountConfig): BrokenRule[] {
  if (!auth.required || Object.keys(auth.peers).length > 0) return [];
  return [{ path: ['auth', 'peers'], problem: 'expected at least one peer, found none: nobody could call' }];
}

function checkPeers({ auth }: AccountConfig): BrokenRule[] {
  const owners = new Map<string, string>();
  const broken: BrokenRule[] = [];
  for (const [name, { keyDigests, subject }] of Object.entries(auth.peers)) {
    if (subject !== undefined && auth.jwt === undefined) {
      broken.push({
        path: ['auth', 'peers', name],
        problem: 'expected auth.jwt beside a subject: without it no token can be checked',
      });
    }
    const credentials = [
      ...keyDigests.map((digest) => `key ${digest}`),
      ...(subject === undefined ? [] : [`subject ${subject}`]),
    ];
    for (const credential of credentials) {
      const other = owners.get(credential);
      if (other === undefined) owners.set(credential, name);
      else if (other !== name) {
        broken.push({
          path: ['auth', 'peers', name],
          problem: `expected a credential of its own, found one of peer "${other}"; give each peer another one`,
        });
      }
    }
  }
  return broken;
}
