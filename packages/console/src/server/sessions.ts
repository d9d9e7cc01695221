import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { A2AError } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { unauthenticated, type Authentication, type Caller, type Owner } from '@holdword/runtime';
import { hashSecret, newSecret, ownerKey } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';

/** Who looks at the console. An operator sees everything, any other caller exactly its own tasks (J9). */
export interface Viewer {
  readonly isOperator: boolean;
  /** The caller, such as `key:laptop`. */
  readonly name: string;
  readonly owner: Owner;
  readonly ownerKey: string;
  /** Identifies the session without being its secret. */
  readonly sessionId: string;
  readonly expiresAt: number;
}

/** A new session: its secret for the cookie, and who it belongs to. */
export interface StartedSession {
  readonly secret: string;
  readonly maxAgeSeconds: number;
  readonly viewer: Viewer;
}

const SESSIONS = 'console-sessions';
const LINKS = 'console-links';
const HOUR = 3_600_000;
const LINK_MILLISECONDS = 24 * HOUR;
/** A link is for the person at this machine. */
const LINK_SESSION_MILLISECONDS = 30 * 24 * HOUR;
const SESSION_MILLISECONDS = 12 * HOUR;
/** Sessions that have expired are removed when a new one starts, this many at most. */
const MOST_REMOVED = 100;

type StoredSession =
  | { readonly kind: 'link'; readonly isOpen: boolean; readonly expiresAt: number }
  | { readonly kind: 'credential'; readonly sealed: string; readonly expiresAt: number };

export interface SessionsOptions {
  readonly store: Pick<Store, 'getRecord' | 'putRecord' | 'deleteRecord' | 'listRecords'>;
  readonly authentication: Authentication;
  readonly cookieName: string;
  readonly now: () => number;
}

/**
 * The sessions of the console, in the records of the store, so that they survive a restart and work on every replica.
 *
 * Responsible for who looks. A session is found by the hash of its secret, which only the cookie has. One that began with a
 * credential keeps it encrypted with that secret, and checks it with every request as if it had been sent: a key that was
 * revoked ends its sessions. Leaves checking credentials to the server's own authentication.
 */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Whether the server needs no credential: then a link is the only way in. */
  get isOpen(): boolean {
    return isOpen(this.#options.authentication);
  }

  /** The viewer of a request; undefined without a valid session or credential. Rejects if a credential is wrong. */
  async find(request: IncomingMessage): Promise<Viewer | undefined> {
    const { headers } = request;
    // A page of another site that resolves its name to this machine must not get in, whatever it sends.
    if (this.isOpen) await this.#options.authentication.authenticate({ host: headers.host });
    else if (headers.authorization !== undefined || headers['x-api-key'] !== undefined) {
      const caller = await this.#options.authentication.authenticate(headers);
      const credential = String(headers.authorization ?? headers['x-api-key']);
      return caller && toViewer(caller, hashSecret(credential), this.#options.now() + SESSION_MILLISECONDS);
    }
    const secret = readCookie(headers.cookie, this.#options.cookieName);
    return secret === undefined ? undefined : this.#resume(secret);
  }

  /** Whether the viewer came with a cookie, which browsers send by themselves. */
  hasCookie({ headers }: IncomingMessage): boolean {
    return readCookie(headers.cookie, this.#options.cookieName) !== undefined;
  }

  /** Uses a one-time link up. Rejects if it was used before, or never existed. */
  async startWithLink(token: string): Promise<StartedSession> {
    const { store, now } = this.#options;
    const key = hashSecret(token);
    const record = await store.getRecord(LINKS, key);
    // Of two requests with the same link, one deletes it.
    if (record === undefined || !(await store.deleteRecord(LINKS, key, record)) || Number(record) <= now()) {
      throw unauthenticated(
        'The link was used before or has expired. Start the server again, or create an API key, to sign in.',
      );
    }
    const expiresAt = now() + LINK_SESSION_MILLISECONDS;
    return this.#start({ kind: 'link', isOpen: this.isOpen, expiresAt }, newSecret());
  }

  async startWithCredential(credential: string): Promise<StartedSession> {
    const { authentication, now } = this.#options;
    if (this.isOpen) {
      throw unauthenticated(
        'This server has no API keys. Open the link that it printed when it started, or create a key and start it again.',
      );
    }
    const caller = await authentication.authenticate(headersOf(credential));
    if (caller === undefined)
      throw unauthenticated('The credential was not recognized. Use an API key or a token.');
    const secret = newSecret();
    const expiresAt = now() + SESSION_MILLISECONDS;
    return this.#start({ kind: 'credential', sealed: seal(credential, secret), expiresAt }, secret);
  }

  async end(request: IncomingMessage): Promise<void> {
    const secret = readCookie(request.headers.cookie, this.#options.cookieName);
    if (secret !== undefined) await this.#options.store.deleteRecord(SESSIONS, hashSecret(secret));
  }

  async #start(stored: StoredSession, secret: string): Promise<StartedSession> {
    const { store, now } = this.#options;
    await this.#removeExpired();
    await store.putRecord(SESSIONS, hashSecret(secret), JSON.stringify(stored));
    const viewer = await this.#resume(secret);
    if (viewer === undefined) throw unauthenticated('The session could not be started. Try again.');
    return { secret, viewer, maxAgeSeconds: Math.floor((stored.expiresAt - now()) / 1_000) };
  }

  async #resume(secret: string): Promise<Viewer | undefined> {
    const { store, authentication, now } = this.#options;
    const sessionId = hashSecret(secret);
    const value = await store.getRecord(SESSIONS, sessionId);
    if (value === undefined) return undefined;
    const session = JSON.parse(value) as StoredSession;
    if (session.expiresAt <= now()) return undefined;
    if (session.kind === 'link') {
      // Whoever could use a server without keys is not an operator of one with keys.
      if (session.isOpen !== this.isOpen) return undefined;
      return { ...linkViewer(this.isOpen), sessionId, expiresAt: session.expiresAt };
    }
    if (this.isOpen) return undefined;
    const credential = unseal(session.sealed, secret);
    if (credential === undefined) return undefined;
    const caller = await authentication.authenticate(headersOf(credential)).catch((error: unknown) => {
      if (asObject(error)['code'] === 'UNAUTHENTICATED') return undefined;
      throw error;
    });
    return caller && toViewer(caller, sessionId, session.expiresAt);
  }

  async #removeExpired(): Promise<void> {
    const { store, now } = this.#options;
    for (const namespace of [SESSIONS, LINKS]) {
      for (const { key, value } of await store.listRecords(namespace, '', { limit: MOST_REMOVED })) {
        const { expiresAt = Number(value) } = asObject(parse(value));
        if (!(Number(expiresAt) > now())) await store.deleteRecord(namespace, key, value);
      }
    }
  }
}

/** Creates the token of a one-time link. The first person to open it is signed in as an operator. */
export async function createLinkToken(
  store: Pick<Store, 'putRecord'>,
  now: () => number = Date.now,
): Promise<string> {
  const token = newSecret();
  await store.putRecord(LINKS, hashSecret(token), String(now() + LINK_MILLISECONDS));
  return token;
}

function isOpen({ securitySchemes }: Authentication): boolean {
  return Object.keys(securitySchemes).length === 0;
}

function toViewer(caller: Caller, sessionId: string, expiresAt: number): Viewer {
  const owner: Owner = {
    tenant: caller.tenant ?? '',
    caller: caller.id,
    authenticated: caller.authenticated,
  };
  return {
    isOperator: caller.authenticated && caller.role === 'operator',
    name: caller.id,
    owner,
    ownerKey: ownerKey(owner),
    sessionId,
    expiresAt,
  };
}

/** On a server without keys, everybody is the same anonymous caller; on others, the person with the link is nobody's key. */
function linkViewer(isAnonymous: boolean): Omit<Viewer, 'sessionId' | 'expiresAt'> {
  const owner: Owner = isAnonymous
    ? { tenant: '', caller: 'anonymous', authenticated: false }
    : { tenant: '', caller: 'console:link', authenticated: true };
  return { isOperator: true, name: owner.caller, owner, ownerKey: ownerKey(owner) };
}

/** An API key is accepted as a bearer token, like any other. */
function headersOf(credential: string): { authorization: string } {
  const token = credential.trim().replace(/^bearer +/i, '');
  if (/[^\x21-\x7e]/.test(token)) {
    throw new A2AError(
      'INVALID_PARAMS',
      'The credential contains spaces or other characters that no key has. Check it.',
    );
  }
  return { authorization: `Bearer ${token}` };
}

function readCookie(header: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  const found = (header ?? '').split(';').find((each) => each.trimStart().startsWith(prefix));
  return found?.trim().slice(prefix.length) || undefined;
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text so that only the secret, which is not stored, opens it. */
function seal(text: string, secret: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url');
}

function unseal(sealed: string, secret: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
    return text.toString();
  } catch {
    return undefined;
  }
}

/** The secret is random, so that a plain hash is enough. It differs from the one that the session is found by. */
function keyOf(secret: string): Buffer {
  return createHash('sha256').update(`console session\n${secret}`).digest();
}
