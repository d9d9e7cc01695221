import { isIPv6 } from 'node:net';
import { expect, test } from 'vitest';
import { createGuardedClient } from './guarded-client.ts';
import { isForbiddenUrlError } from './forbidden-urls.ts';
import type { HostAddress, ResolveHost } from './resolve-host.ts';
import { startListener } from './testing/start-listener.ts';

/** SSRF attempts. PORT is the port of a listener that must see no connection. */
const ATTEMPTS: readonly string[] = [
  // Loopback in every notation
  'https://127.0.0.1:PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://127.255.255.254:PORT/',
  'https://2130706433:PORT/',
  'https://017700000001:PORT/',
  'https://0177.0.0.1:PORT/',
  'https://0x7f000001:PORT/',
  'https://0x7f.0x0.0x0.0x1:PORT/',
  'https://0x7F.1:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://127.0.0.1..:PORT/',
  'https://%31%32%37.0.0.1:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://127。0。0。1:PORT/',
  'https://0:PORT/',
  'https://0.0.0.0:PORT/',
  'https://0.1.2.3:PORT/',
  'https://[::]:PORT/',
  'https://[::1]:PORT/',
  'https://[0:0:0:0:0:0:0:1]:PORT/',
  'https://[0000::0001]:PORT/',
  // IPv4 inside IPv6
  'https://[::ffff:127.0.0.1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[0:0:0:0:0:ffff:169.254.169.254]/',
  'https://[::127.0.0.1]:PORT/',
  'https://[64:ff9b::7f00:1]:PORT/',
  'https://[64:ff9b:1::7f00:1]:PORT/',
  'https://[2002:7f00:1::]:PORT/',
  'https://[2001:0:4136:e378:8000:63bf:80ff:fffe]/',
  // Private, shared, link-local and special networks
  'https://10.0.0.1/',
  'https://10.255.255.255/',
  'https://172.16.0.1/',
  'https://172.31.255.254/',
  'https://192.168.1.1/',
  'https://3232235777/',
  'https://0xc0a80101/',
  'https://100.64.0.1/',
  'https://100.100.100.200/latest/meta-data/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/latest/meta-data/',
  'https://0251.0376.0251.0376/',
  'https://169.254.170.2/v2/credentials',
  'https://168.63.129.16/machine',
  'https://192.0.0.192/opc/v1/instance/',
  'https://198.18.0.1/',
  'https://192.0.2.1/',
  'https://203.0.113.9/',
  'https://224.0.0.1/',
  'https://240.0.0.1/',
  'https://255.255.255.255/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[100::1]/',
  'https://[2001:db8::1]/',
  'https://[4000::1]/',
  // Names of this machine or network
  'https://localhost:PORT/',
  'https://LOCALHOST:PORT/',
  'https://localhost.:PORT/',
  'https://sub.localhost:PORT/',
  'https://localhost.localdomain:PORT/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://printer.local/',
  'https://router.home.arpa/',
  'https://kubernetes/',
  // Names that resolve to forbidden addresses
  'https://points-to-loopback.example:PORT/',
  'https://points-to-mapped.example:PORT/',
  'https://points-to-metadata.example/',
  'https://points-to-unique-local.example/',
  'https://has-one-bad-address.example:PORT/',
  // Schemes, credentials, parser differences, ports
  'http://public.example/',
  'http://8.8.8.8/',
  'http://127.0.0.1:PORT/',
  'ftp://public.example/',
  'file:///etc/passwd',
  'gopher://public.example/',
  'data:text/plain,x',
  'javascript:alert(1)',
  'unix:/var/run/docker.sock',
  'https://user:secret@public.example/',
  'https://public.example@127.0.0.1:PORT/',
  'https://public.example:443@127.0.0.1:PORT/',
  'https://127.0.0.1:PORT\\@public.example/',
  'https:\\\\127.0.0.1:PORT\\',
  'https:127.0.0.1:PORT',
  'https:///127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
  ' https://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/\r\nX-Injected: 1',
  'https://exa\tmple.com/',
  'https://public.example:22/',
  'https://public.example:25/',
  'https://public.example:6379/',
  'https://public.example:5432/',
  `https://public.example/${'x'.repeat(3_000)}`,
  '',
];

const NAMES: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['8.8.8.8'],
  'points-to-loopback.example': ['127.0.0.1'],
  'points-to-mapped.example': ['::ffff:127.0.0.1'],
  'points-to-metadata.example': ['169.254.169.254'],
  'points-to-unique-local.example': ['fd00:ec2::254'],
  'has-one-bad-address.example': ['8.8.8.8', '127.0.0.1'],
  'also-points-to-metadata.example': ['127.0.0.1', '169.254.169.254'],
};

const resolve: ResolveHost = async (host) => {
  const addresses = NAMES[host];
  if (addresses === undefined) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
  return addresses.map(addressRecord);
};

function addressRecord(address: string): HostAddress {
  return { address, family: isIPv6(address) ? 6 : 4 };
}

const request = {
  method: 'POST',
  headers: {},
  body: '',
  timeoutMilliseconds: 2_000,
  maxResponseBytes: 1_000,
};

test('the list of attempts is long enough and has no duplicates', () => {
  expect(new Set(ATTEMPTS).size).toBe(ATTEMPTS.length);
  expect(ATTEMPTS.length).toBeGreaterThanOrEqual(60);
});

test.each(ATTEMPTS)('%s is rejected without a connection', async (attempt) => {
  const listener = await startListener();
  const client = createGuardedClient({ resolve });
  const url = attempt.replaceAll('PORT', String(listener.port));
  await expect(client.check(url)).rejects.toSatisfy(isForbiddenUrlError);
  await expect(client.send({ ...request, url })).rejects.toSatisfy(isForbiddenUrlError);
  expect(listener.connections()).toBe(0);
  client.close();
});

test.each([
  ['file:///etc/passwd', 'its scheme is not https'],
  ['data:text/plain,hello', 'its scheme is not https'],
  ['localhost:8080/a', 'it is not an absolute URL'],
  ['/etc/passwd', 'it is not an absolute URL'],
])('%s is rejected because %s', async (url, reason) => {
  const client = createGuardedClient({ resolve });
  await expect(client.check(url)).rejects.toThrow(reason);
  client.close();
});

test('a name that becomes private after the check is rejected when it is called', async () => {
  const listener = await startListener();
  const answers = [['8.8.8.8'], ['127.0.0.1']];
  const client = createGuardedClient({
    resolve: async () => (answers.shift() ?? []).map(addressRecord),
  });
  const url = `https://changes.example:${listener.port}/`;
  await client.check(url);
  await expect(client.send({ ...request, url })).rejects.toSatisfy(isForbiddenUrlError);
  expect(listener.connections()).toBe(0);
  client.close();
});

/** What no allow list opens. PORT is the port of a listener that must see no connection. */
const NEVER_ALLOWED: readonly string[] = [
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://169.254.7.7:8080/',
  'http://169.254.170.2/v2/credentials',
  'http://100.100.100.200/latest/meta-data/',
  'http://168.63.129.16/machine',
  'http://192.0.0.192/opc/v1/instance/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:707]/',
  'http://[::169.254.169.254]/',
  'http://[64:ff9b::169.254.169.254]/',
  'http://[64:ff9b:1::a9fe:a9fe]/',
  'http://[2002:a9fe:a9fe::1]/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[fd00:ec2::23]/v1/credentials',
  'http://[fd20:ce::254]/',
  'http://[fe80::1]/',
  'http://[fe80::a9fe:a9fe]/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://METADATA.google.internal./',
  'http://metadata.goog/',
  'http://points-to-metadata.example/',
  'http://points-to-unique-local.example/',
  'http://also-points-to-metadata.example:PORT/',
];

const isFinal = (error: unknown): boolean => isForbiddenUrlError(error) && !error.canBeAllowed;

test.each(NEVER_ALLOWED)('%s is rejected whatever the allow list says', async (attempt) => {
  const listener = await startListener();
  const url = attempt.replace('PORT', String(listener.port));
  const { hostname } = new URL(url);
  const client = createGuardedClient({
    resolve,
    allow: ['0.0.0.0/0', '::/0', hostname.replace(/^\[(.*)\]$/, '$1')],
  });
  await expect(client.check(url)).rejects.toSatisfy(isFinal);
  await expect(client.send({ ...request, url })).rejects.toSatisfy(isFinal);
  await expect(client.open({ ...request, url })).rejects.toSatisfy(isFinal);
  await expect(client.addressesOf(url)).rejects.toSatisfy(isFinal);
  expect(listener.connections()).toBe(0);
  client.close();
});

test.each([
  'http://169.254.169.254',
  'http://[fd00:ec2::254]',
  'http://metadata.google.internal',
  'http://points-to-metadata.example',
])('%s is rejected even if an operator has typed it', async (origin) => {
  const client = createGuardedClient({ resolve, trustedOrigins: [origin] });
  await expect(client.addressesOf(`${origin}/`)).rejects.toThrow('a cloud metadata service');
  client.close();
});

test('a link-local address that an operator has typed may be called, but not one on the allow list', async () => {
  const origin = 'http://host.containers.internal:4310';
  const client = createGuardedClient({
    allow: ['host.containers.internal', '169.254.0.0/16'],
    trustedOrigins: [origin],
    resolve: async () => [addressRecord('169.254.1.2')],
  });
  expect(await client.addressesOf(`${origin}/card`)).toEqual([addressRecord('169.254.1.2')]);
  await expect(client.addressesOf('http://host.containers.internal:4311/')).rejects.toThrow('link-local');
  client.close();
});

test.each([
  ['http://127.0.0.1:4310/', true],
  ['https://192.168.1.1/', true],
  ['http://public.example/', true],
  ['https://printer.local/', true],
  ['https://has-one-bad-address.example/', true],
  ['file:///etc/passwd', false],
  ['https://public.example:22/', false],
  ['https://user:secret@public.example/', false],
])('whether an allow list can open %s: %s', async (url, canBeAllowed) => {
  const client = createGuardedClient({ resolve });
  await expect(client.check(url)).rejects.toMatchObject({ canBeAllowed });
  client.close();
});
