import { expect, test } from 'vitest';
import { parseAllowList } from './allow-list.ts';
import { checkUrl, isForbiddenUrlError } from './forbidden-urls.ts';
import { resolveChecked } from './resolve-host.ts';
import { TrustedOrigins } from './trusted-origins.ts';

const TYPED = 'https://agent.example';
const NOTHING = parseAllowList([]);

function reachedAt(address: string, origin = TYPED): TrustedOrigins {
  const origins = new TrustedOrigins([origin]);
  const typed = origins.match(`${origin}/card`);
  if (typed !== undefined) origins.note(typed, address);
  return origins;
}

/** Whether the URL may be called if its host has this address. */
async function isCalled(origins: TrustedOrigins, url: string, address: string, allow: string[] = []) {
  const allowList = origins.allowListFor(url, parseAllowList(allow));
  try {
    await resolveChecked(checkUrl(url, allowList), allowList, async () => [{ address, family: 4 }]);
    return true;
  } catch (error) {
    if (!isForbiddenUrlError(error)) throw error;
    return false;
  }
}

test('other ports of a typed name are called at public addresses, and where the typed origin has answered', async () => {
  const origins = reachedAt('10.0.0.5');
  expect(await isCalled(origins, 'https://agent.example:8443/', '8.8.8.8')).toBe(true);
  expect(await isCalled(origins, 'https://agent.example:8443/', '10.0.0.5')).toBe(true);
  expect(await isCalled(origins, 'https://agent.example:8443/', '10.0.0.6')).toBe(false);
  expect(await isCalled(origins, 'https://agent.example:8443/', '127.0.0.1')).toBe(false);
  expect(await isCalled(origins, 'https://other.example/', '10.0.0.5')).toBe(false);
  expect(await isCalled(origins, 'https://agent.example:8443/', '127.0.0.1', ['127.0.0.0/8'])).toBe(true);
});

test('a name that was typed with TLS is not called without', async () => {
  expect(await isCalled(reachedAt('8.8.8.8'), 'http://agent.example:8081/', '8.8.8.8')).toBe(false);
  const plain = reachedAt('10.0.0.5', 'http://agent.example');
  expect(await isCalled(plain, 'http://agent.example:8081/', '10.0.0.5')).toBe(true);
  expect(await isCalled(plain, 'http://agent.example:8081/', '8.8.8.8')).toBe(false);
});

function move(from: string, to: string, allow: string[] = []): void {
  const origins = reachedAt(from);
  const typed = origins.match(TYPED);
  if (typed === undefined) throw new Error('the origin is trusted');
  origins.checkMove(typed, [{ address: to, family: 4 }], parseAllowList(allow));
}

test('a typed name that has answered on the public internet is not followed to a private address', () => {
  expect(() => move('8.8.8.8', '127.0.0.1')).toThrow('now leads to a private address');
  expect(() => move('8.8.8.8', '169.254.169.254')).toThrow('now leads to a private address');
  move('8.8.8.8', '10.0.0.5', ['10.0.0.0/8']);
  move('8.8.8.8', '10.0.0.5', ['agent.example']);
  move('8.8.8.8', '9.9.9.9');
  move('10.0.0.5', '10.0.0.6');
});

test('nothing follows from an origin that has not answered', async () => {
  const origins = new TrustedOrigins([TYPED]);
  expect(origins.allowListFor('https://agent.example:8443/', NOTHING)).toBe(NOTHING);
  expect(await isCalled(origins, 'https://agent.example:8443/', '10.0.0.5')).toBe(false);
});
