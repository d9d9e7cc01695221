import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { addressKey, type Target, type TargetAddress } from '../targets/target.ts';
import type { StateStore } from './state-store.ts';

const NAMESPACE = 'signing';

/**
 * Signs the targets of continuations. A prompt injection can make a model pass a continuation that points anywhere, so one
 * whose target is not configured is followed only if this installation signed it.
 */
export class TargetSignature {
  readonly #state: StateStore;
  #key: Promise<Buffer> | undefined;
  #installationId: string | undefined;

  constructor(state: StateStore) {
    this.#state = state;
  }

  async sign(address: TargetAddress): Promise<string> {
    return createHmac('sha256', await this.#loadKey())
      .update(addressKey(address))
      .digest('base64url');
  }

  /** A configured target needs no signature. */
  async signUnconfigured(target: Target): Promise<string | undefined> {
    return target.configured === undefined ? this.sign(target) : undefined;
  }

  async verify(address: TargetAddress, signature: string): Promise<boolean> {
    const expected = Buffer.from(await this.sign(address));
    const actual = Buffer.from(signature);
    return expected.length === actual.length && timingSafeEqual(expected, actual);
  }

  /** An opaque, stable id of this installation, derived from its key. */
  async installationId(): Promise<string> {
    this.#installationId ??= createHash('sha256')
      .update(await this.#loadKey())
      .digest('base64url')
      .slice(0, 12);
    return this.#installationId;
  }

  #loadKey(): Promise<Buffer> {
    this.#key ??= this.#state
      .readOrCreate(NAMESPACE, 'key', randomBytes(32).toString('base64'))
      .then((text) => Buffer.from(text, 'base64'));
    return this.#key;
  }
}
