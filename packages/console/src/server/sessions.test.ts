import { expect, test } from 'vitest';
import { revokeKey } from '@holdword/runtime';
import { startTestConsole, type Sender } from '../testing/start-test-console.ts';

function cookieIn(headers: Headers): Sender {
  return { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
}

async function linkOf(view: Awaited<ReturnType<typeof startTestConsole>>): Promise<string> {
  return new URL(await view.view.createLink()).hash.slice('#link='.length);
}

test('a link signs in once, as an operator, with a cookie that scripts and other sites cannot use', async () => {
  const view = await startTestConsole({ keys: false });
  const link = await linkOf(view);
  const origin = { origin: view.url };
  const [one, other] = await Promise.all([
    view.call('signIn', { body: { link }, headers: origin }),
    view.call('signIn', { body: { link }, headers: origin }),
  ]);
  expect([one.status, other.status].toSorted((left, right) => left - right)).toEqual([200, 401]);
  const { headers, body } = one.status === 200 ? one : other;
  expect(body).toMatchObject({ signedIn: true, user: { role: 'operator', name: 'anonymous' } });
  expect(headers.get('set-cookie')).toMatch(
    /^holdword_console_\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/console; Max-Age=\d+$/,
  );

  const again = await view.call('signIn', { body: { link }, headers: origin });
  expect(again.status).toBe(401);
  expect(again.body.error?.message).toContain('used before');
  expect((await view.call('listTasks', { as: cookieIn(headers) })).status).toBe(200);
});

test('on a server without keys, nobody gets in without a link', async () => {
  const view = await startTestConsole({ keys: false });
  expect((await view.call('listTasks')).status).toBe(401);
  expect((await view.call('listTasks', { as: { authorization: 'Bearer anything' } })).status).toBe(401);
  const { body } = await view.call('getSession');
  expect(body).toEqual({ signedIn: false, signInWith: ['link'], user: null, server: null, features: null });
  const signIn = await view.call('signIn', { body: { credential: 'anything' } });
  expect(signIn.status).toBe(401);
  expect(signIn.body.error?.message).toContain('Open the link');
});

test('a page that resolves its own name to this machine does not get in', async () => {
  const view = await startTestConsole({ keys: false });
  const link = await linkOf(view);
  const { port } = new URL(view.url);
  const { request } = await import('node:http');
  const status = await new Promise((resolve, reject) => {
    const sent = request(
      `${view.url}/console/api/session`,
      {
        method: 'POST',
        headers: {
          host: `evil.example:${port}`,
          origin: `http://evil.example:${port}`,
          'content-type': 'application/json',
        },
      },
      (response) => resolve(response.resume().statusCode),
    );
    sent.on('error', reject);
    sent.end(JSON.stringify({ link }));
  });
  expect(status).toBe(403);
});

test('a session that began with a key has its role, survives a restart, and ends with the key', async () => {
  const view = await startTestConsole();
  const { authorization = '' } = await view.key('alice');
  const started = await view.call('signIn', { body: { credential: authorization.slice('Bearer '.length) } });
  expect(started.body).toMatchObject({ signedIn: true, user: { role: 'caller', name: 'key:alice' } });
  expect(started.text).not.toContain('holdword_');
  const as = cookieIn(started.headers);

  // Another process on the same store.
  const other = await startTestConsole({ store: view.store });
  const port = new URL(other.url).port;
  const moved = { cookie: (as['cookie'] ?? '').replace(/_\d+=/, `_${port}=`) };
  expect((await other.call('listTasks', { as: moved })).status).toBe(200);
  // What is stored opens nothing.
  const records = await view.store.listRecords('console-sessions');
  expect(records).toHaveLength(1);
  expect(JSON.stringify(records)).not.toContain(authorization.slice(-20));
  expect(JSON.stringify(records)).not.toContain((as['cookie'] ?? '').slice(-20));

  await revokeKey(view.store, 'alice');
  await expect.poll(async () => (await view.call('listTasks', { as })).status).toBe(401);
});

test('signing out ends the session on the server', async () => {
  const view = await startTestConsole();
  const { authorization = '' } = await view.key('alice');
  const { headers } = await view.call('signIn', { body: { credential: authorization } });
  const as = cookieIn(headers);
  const out = await view.call('signOut', { as });
  expect(out.body).toMatchObject({ signedIn: false, user: null });
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await view.call('listTasks', { as })).status).toBe(401);
});

test('a wrong credential is refused without being shown', async () => {
  const view = await startTestConsole();
  const { status, text } = await view.call('signIn', { body: { credential: 'holdword_secret' } });
  expect(status).toBe(401);
  expect(text).not.toContain('holdword_secret');
});

test('a cookie works only from a page of this server', async () => {
  const view = await startTestConsole();
  const { authorization = '' } = await view.key('alice');
  const { headers } = await view.call('signIn', { body: { credential: authorization } });
  const as = cookieIn(headers);
  const send = (more: Record<string, string>) =>
    view.call('cancelTasks', { as, body: { ids: ['none'] }, headers: more });
  expect((await send({})).status).toBe(200);
  expect((await send({ origin: 'https://evil.example' })).status).toBe(403);
  expect((await send({ origin: 'null' })).status).toBe(403);
  expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  const read = await view.call('listTasks', { as, headers: { 'sec-fetch-site': 'same-site' } });
  expect(read.status).toBe(403);
  const withoutOrigin = await fetch(view.urlOf('cancelTasks'), {
    method: 'POST',
    headers: { ...as, 'content-type': 'application/json' },
    body: '{"ids":["none"]}',
  });
  expect(withoutOrigin.status).toBe(403);
  // A form of another page cannot send JSON.
  expect((await send({ 'content-type': 'text/plain' })).status).toBe(400);
  expect(view.rejections.map(({ code }) => code)).toContain('PERMISSION_DENIED');
});

test('a link session of a server without keys is nobody once there are keys', async () => {
  const open = await startTestConsole({ keys: false });
  const { headers } = await open.call('signIn', {
    body: { link: await linkOf(open) },
    headers: { origin: open.url },
  });
  const closed = await startTestConsole({ store: open.store });
  const { cookie = '' } = cookieIn(headers);
  const as = { cookie: cookie.replace(/_\d+=/, `_${new URL(closed.url).port}=`) };
  expect((await closed.call('listTasks', { as })).status).toBe(401);
});
