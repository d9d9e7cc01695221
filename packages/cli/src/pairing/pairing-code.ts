import { randomInt } from 'node:crypto';
import { shorten } from '@holdword/protocol/internal';
import { UsageError } from '../usage-error.ts';

/** Digits and letters that nobody confuses, in speech or in writing (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
const LOOKALIKES: Readonly<Record<string, string>> = { I: '1', L: '1', O: '0' };

/** Where somebody offers to pair, and the code that is good for it. */
export interface Invitation {
  readonly code: string;
  /** Scheme, host and port. */
  readonly origin: string;
}

/** A new code: 40 random bits. */
export function newCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

export function showCode(code: string): string {
  return `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;
}

/** The code is in the fragment, which browsers and proxies neither send nor log. */
export function linkOf({ code, origin }: Invitation): string {
  return `${origin}/pairing#${showCode(code)}`;
}

/** Reads `CODE@host:port`, `CODE@https://host` or a link. @throws UsageError that does not show the code */
export function readInvitation(text: string): Invitation {
  const at = text.lastIndexOf('@');
  const [code, address] = /^https?:\/\//i.test(text)
    ? [text.split('#')[1], text.split('#')[0]]
    : [text.slice(0, Math.max(at, 0)), text.slice(at + 1)];
  if (at < 1 && !/^https?:\/\//i.test(text)) {
    throw new UsageError('Expected CODE@HOST:PORT or the link, as holdword pair prints them.');
  }
  return { code: readCode(code ?? ''), origin: readOrigin(address ?? '') };
}

function readCode(text: string): string {
  const code = text
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll(/[ILO]/g, (each) => LOOKALIKES[each] ?? each);
  if (CODE.test(code)) return code;
  throw new UsageError(
    `A code has ${LENGTH} letters and digits, such as 7K3M-9QXA; this one has another form.`,
  );
}

function readOrigin(address: string): string {
  const url = /^https?:\/\//i.test(address) ? address : `http://${address}`;
  const origin = URL.parse(url)?.origin;
  if (origin !== undefined && address !== '') return origin;
  throw new UsageError(`Expected HOST:PORT after the code, found "${shorten(address, 80)}".`);
}
