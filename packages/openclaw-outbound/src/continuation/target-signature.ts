import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { StateStore } from '../state/state-store.ts';
import { addressKey, type TargetAddress } from '../targets/target.ts';

const NAMESPACE = 'signing';

/**
 * Proves that a continuation is one of ours. A model can be talked into a continuation that leads anywhere; one whose
 * target is not configured is followed only when we wrote that target ourselves.
 */
export class TargetSignature {
  readonly #state: StateStore;
  #key: Promise<Buffer> | undefined;
  #name: string | undefined;

  constructor(state: StateStore) {
    this.#state = state;
  }

  async sign(address: TargetAddress): Promise<string> {
    return createHmac('sha256', await this.#loadKey())
      .update(addressKey(address))
      .digest('base64url');
  }

  async isOurs(address: TargetAddress, signature: string): Promise<boolean> {
    const own = Buffer.from(await this.sign(address));
    const given = Buffer.from(signature);
    return own.length === given.length && timingSafeEqual(own, given);
  }

  /** A name for this installation that tells nothing of it: the same as long as the key is. */
  async installation(): Promise<string> {
    this.#name ??= createHash('sha256')
      .update(await this.#loadKey())
      .digest('base64url')
      .slice(0, 12);
    return this.#name;
  }

  #loadKey(): Promise<Buffer> {
    this.#key ??= this.#state
      .readOrCreate(NAMESPACE, 'key', randomBytes(32).toString('base64'))
      .then((text) => Buffer.from(text, 'base64'));
    return this.#key;
  }
}
