import type { Introduction } from './pairing-offer.ts';

/** One side of a pairing: an agent of this user, who lets others call it and keeps what they let it call. */
export interface PairingSide {
  readonly name: string;
  /** Where the agent is called; undefined if there is none, and this side only calls. */
  readonly url: string | undefined;
  /** Creates a key with which another side may call the agent, and do nothing else. */
  issueKey(peer: string): Promise<IssuedKey>;
  /** Keeps where the other agent is and the key for it. Resolves with what the user does with it now. */
  keep(other: Introduction & { url: string }): Promise<string>;
}

/** A key for another side, until it is proved to work. */
export interface IssuedKey {
  readonly key: string;
  /** Where the user finds it again. */
  readonly described: string;
  revoke(): Promise<void>;
}

/** A name that keys, environments and peers of OpenClaw can have. */
export function plainName(text: string): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .slice(0, 40);
  return plain.replace(/^-/, '').replace(/-$/, '') || 'agent';
}

/** The name, or the first with a number that is not taken. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name;
  for (let number = 2; ; number += 1) if (!isTaken(`${name}-${number}`)) return `${name}-${number}`;
}
