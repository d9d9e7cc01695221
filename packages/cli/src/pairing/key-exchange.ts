/*
 * A password-authenticated key exchange: two sides that know the same short code get the same long key, and nobody else does.
 *
 * It is Diffie-Hellman whose generator is made from the code (SPEKE; CPace is its modern form), in the 3072-bit group of RFC 3526.
 * Somebody who overhears the exchange cannot try codes against it afterwards, and somebody in the middle can try one code for each
 * exchange. Both public values go into the key, so that an answer cannot be moved to another exchange. Everything that follows is
 * sealed with a key for each direction, so it needs no TLS.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  getDiffieHellman,
  hkdfSync,
  randomBytes,
} from 'node:crypto';

const PRIME = toNumber(getDiffieHellman('modp15').getPrime());
const PRIME_BYTES = 384;
/** Twice the strength of the group. */
const EXPONENT_BYTES = 32;
const DOMAIN = 'holdword pairing 1';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export type Role = 'pair' | 'join';

/** One side of an exchange. Use it once. */
export class KeyExchange {
  readonly #role: Role;
  readonly #exponent = toNumber(randomBytes(EXPONENT_BYTES));
  /** What the other side gets, in hexadecimal. */
  readonly publicValue: string;

  constructor(role: Role, code: string) {
    this.#role = role;
    this.publicValue = toHex(power(generatorOf(code), this.#exponent));
  }

  /** The channel that only the holder of the same code can use. Undefined if the other value is none that an honest side sends. */
  channelWith(other: string): SealedChannel | undefined {
    if (!/^[0-9a-f]{768}$/.test(other)) return undefined;
    const value = toNumber(Buffer.from(other, 'hex'));
    // With these the key would not depend on the code.
    if (value <= 1n || value >= PRIME - 1n) return undefined;
    const shared = Buffer.from(toHex(power(value, this.#exponent)), 'hex');
    const values = this.#role === 'join' ? [this.publicValue, other] : [other, this.publicValue];
    const transcript = createHash('sha256').update(DOMAIN).update(values.join(' ')).digest();
    const keyOf = (sender: Role): Buffer =>
      Buffer.from(hkdfSync('sha256', shared, transcript, sender, KEY_BYTES));
    const [pair, join] = [keyOf('pair'), keyOf('join')];
    return this.#role === 'join' ? new SealedChannel(join, pair) : new SealedChannel(pair, join);
  }
}

/** Seals messages to the other side and opens its messages, in order. */
export class SealedChannel {
  readonly #own: Buffer;
  readonly #other: Buffer;
  #sealed = 0;
  #opened = 0;

  constructor(own: Buffer, other: Buffer) {
    this.#own = own;
    this.#other = other;
  }

  seal(message: unknown): string {
    const cipher = createCipheriv('aes-256-gcm', this.#own, nonce((this.#sealed += 1)));
    const parts = [cipher.update(JSON.stringify(message), 'utf8'), cipher.final()];
    return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64');
  }

  /** Undefined if it was not sealed with the same code, or is not the next message. */
  open(sealed: string): unknown {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes.length < TAG_BYTES) return undefined;
    const cipher = createDecipheriv('aes-256-gcm', this.#other, nonce(this.#opened + 1));
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = Buffer.concat([cipher.update(bytes.subarray(0, -TAG_BYTES)), cipher.final()]).toString(
        'utf8',
      );
      this.#opened += 1;
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
}

function nonce(count: number): Buffer {
  const bytes = Buffer.alloc(NONCE_BYTES);
  bytes.writeUInt32BE(count, NONCE_BYTES - 4);
  return bytes;
}

/** A square, so that it generates the large subgroup, of which nobody knows a logarithm. */
function generatorOf(code: string): bigint {
  const hash = createHash('shake256', { outputLength: PRIME_BYTES + 16 });
  const element = toNumber(hash.update(DOMAIN).update(' ').update(code).digest()) % PRIME;
  return (element * element) % PRIME;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let square = base, left = exponent; left > 0n; left >>= 1n, square = (square * square) % PRIME) {
    if ((left & 1n) === 1n) result = (result * square) % PRIME;
  }
  return result;
}

function toNumber(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function toHex(value: bigint): string {
  return value.toString(16).padStart(PRIME_BYTES * 2, '0');
}
