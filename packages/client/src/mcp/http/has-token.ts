import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether an Authorization header holds the token. Takes the same time for every header. */
export function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
