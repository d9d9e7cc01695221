import type { AgentCard } from '@holdword/protocol';
import { buildAgentCard } from '@holdword/protocol/internal';
import { expect, test } from 'vitest';
import { parseGrpcTarget, usableInterfaces } from './usable-interfaces.ts';

function cardWith(...supportedInterfaces: AgentCard['supportedInterfaces']): AgentCard {
  return { ...buildAgentCard({ name: 'n', description: 'd', endpoints: [] }), supportedInterfaces };
}

test('keeps supported interfaces, in the order of the card', () => {
  const card = cardWith(
    { url: 'a.example:50051', protocolBinding: 'GRPC', protocolVersion: '1.0.1' },
    { url: 'https://a.example/x', protocolBinding: 'urn:other', protocolVersion: '1.0' },
    { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '2.0' },
    { url: 'https://a.example/rest', protocolBinding: 'http+json', protocolVersion: '0.3.0', tenant: 't' },
    { url: 'ftp://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://a.example:8443/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1' },
  );
  expect(usableInterfaces(card)).toEqual([
    { binding: 'GRPC', version: '1.0', url: 'a.example:50051', origin: 'https://a.example:50051' },
    {
      binding: 'HTTP+JSON',
      version: '0.3',
      url: 'https://a.example/rest',
      origin: 'https://a.example',
      tenant: 't',
    },
    {
      binding: 'JSONRPC',
      version: '1.0',
      url: 'https://a.example:8443/rpc',
      origin: 'https://a.example:8443',
    },
  ]);
});

test('prefers 1.1 to 1.0 of the same binding, and leaves the order of bindings to the card', () => {
  const card = cardWith(
    { url: 'a.example:1', protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
    { url: 'https://a.example/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.1' },
    { url: 'a.example:1', protocolBinding: 'GRPC', protocolVersion: '1.1.2' },
    { url: 'https://a.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.1' },
  );
  expect(usableInterfaces(card).map(({ binding, version }) => `${binding} ${version}`)).toEqual([
    'GRPC 1.1',
    'GRPC 1.0',
    'JSONRPC 1.1',
    'JSONRPC 1.0',
    'HTTP+JSON 0.3',
    'HTTP+JSON 1.1',
  ]);
});

test.each([
  ['a.example:50051', { host: 'a.example', port: 50051, secure: true, url: 'https://a.example:50051' }],
  ['127.0.0.1:50051', { host: '127.0.0.1', port: 50051, secure: false, url: 'http://127.0.0.1:50051' }],
  ['localhost:80', { host: 'localhost', port: 80, secure: false, url: 'http://localhost:80' }],
  ['[::1]:7', { host: '::1', port: 7, secure: false, url: 'http://[::1]:7' }],
  ['http://a.example:443', { host: 'a.example', port: 443, secure: false, url: 'http://a.example:443' }],
  ['grpcs://10.0.0.1', { host: '10.0.0.1', port: 443, secure: true, url: 'https://10.0.0.1:443' }],
  ['a.example', { host: 'a.example', port: 443, secure: true, url: 'https://a.example:443' }],
  ['agent.localhost:1', { host: 'agent.localhost', port: 1, secure: false, url: 'http://agent.localhost:1' }],
  ['[fd00::1]:1', { host: 'fd00::1', port: 1, secure: false, url: 'http://[fd00::1]:1' }],
])('parses the gRPC address %s', (address, target) => {
  expect(parseGrpcTarget(address)).toEqual(target);
});

test.each([
  'fdbank.example:443',
  'fcc.example:443',
  'localhostile.example:443',
  'mylocalhost:443',
  '10.evil.example:443',
  '127.evil.example:443',
  '192.168.evil.example:443',
  '172.16.evil.example:443',
  '8.8.8.8:443',
  '[2001:4860:4860::8888]:443',
])('%s is called with TLS, although it begins like a local address or is none', (address) => {
  expect(parseGrpcTarget(address)).toMatchObject({ port: 443, secure: true });
});

test.each(['', 'https://a.example/path', 'unix:/tmp/x', 'a b:1', '127.0.0.1@a.example:443'])(
  'does not read %j',
  (address) => {
    expect(parseGrpcTarget(address)).toBeUndefined();
  },
);
