import type { AccountConfig } from './account-config.ts';

const PLAIN_INPUT_MODES: readonly string[] = ['text/plain', 'application/json'];

/** A violated rule, with the path inside the account. */
export interface BrokenRule {
  readonly path: readonly string[];
  readonly problem: string;
}

/** Rules across fields, which the schema cannot express. */
export function checkAccount(config: AccountConfig): BrokenRule[] {
  return [...checkInputModes(config), ...checkRequired(config), ...checkPeers(config)];
}

function checkInputModes({ defaultInputModes, features }: AccountConfig): BrokenRule[] {
  if (features.files) return [];
  return defaultInputModes
    .filter((mode) => !PLAIN_INPUT_MODES.includes(mode))
    .map((mode) => ({
      path: ['defaultInputModes'],
      problem: `expected ${PLAIN_INPUT_MODES.join(' or ')}, found "${mode}"; other media types require features.files`,
    }));
}

function checkRequired({ auth }: AccountConfig): BrokenRule[] {
  if (!auth.required || Object.keys(auth.peers).length > 0) return [];
  return [
    {
      path: ['auth', 'peers'],
      problem: 'expected at least one peer, found none; no caller could authenticate',
    },
  ];
}

function checkPeers({ auth }: AccountConfig): BrokenRule[] {
  const owners = new Map<string, string>();
  const broken: BrokenRule[] = [];
  for (const [name, { keyDigests, subject }] of Object.entries(auth.peers)) {
    if (subject !== undefined && auth.jwt === undefined) {
      broken.push({
        path: ['auth', 'peers', name],
        problem: 'subject requires auth.jwt, which is missing',
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
          problem: `the peer has the same credential as peer "${other}"; give each peer its own`,
        });
      }
    }
  }
  return broken;
}
