import type { Random } from '../random.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { hostileValue, mutateJson } from './mutate-json.ts';
import { JSON_RPC_REQUESTS, REST_REQUESTS } from './sample-requests.ts';

export interface FuzzRequest {
  readonly binding: 'JSON-RPC' | 'REST';
  readonly verb: string;
  /** The path on the server. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer | undefined;
}

const HOSTILE_HEADERS: readonly [string, string][] = [
  ['a2a-version', '9.9'],
  ['a2a-version', 'x'.repeat(500)],
  ['a2a-extensions', ',,,;;;'.repeat(50)],
  ['content-type', 'text/html'],
  ['content-type', ''],
  ['idempotency-key', 'x'.repeat(400)],
  ['last-event-id', '-1'],
  ['last-event-id', '99999999999999999999'],
  ['holdword-resume-after', 'NaN'],
  ['authorization', 'Bearer '],
  ['traceparent', 'x'.repeat(2_000)],
  ['host', 'evil.example'],
  ['accept', '\u00ff'],
];

/** A malformed request of either JSON binding, in 1.0 or 0.3. Some stay valid by chance. */
export function httpRequest(random: Random): FuzzRequest {
  return random.chance(0.5) ? jsonRpcRequest(random) : restRequest(random);
}

function jsonRpcRequest(random: Random): FuzzRequest {
  const { version, method, params } = random.pick(JSON_RPC_REQUESTS);
  const envelope = { jsonrpc: '2.0', id: random.integer(1, 1_000), method, params };
  return {
    binding: 'JSON-RPC',
    verb: random.chance(0.98) ? 'POST' : random.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']),
    path: '/a2a/jsonrpc',
    headers: headersOf(version, random),
    body: bodyOf(random.chance(0.5) ? envelope : { ...envelope, params: mutateJson(params, random) }, random),
  };
}

function restRequest(random: Random): FuzzRequest {
  const { version, verb, path, body } = random.pick(REST_REQUESTS);
  return {
    binding: 'REST',
    verb: random.chance(0.95) ? verb : random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']),
    path: `/a2a/rest${random.chance(0.5) ? path : mutatePath(path, random)}`,
    headers: headersOf(version, random),
    body: body === undefined ? undefined : bodyOf(body, random),
  };
}

function headersOf(version: string, random: Random): Record<string, string> {
  const headers = new Map([
    ['content-type', 'application/json'],
    ['a2a-version', version],
  ]);
  if (random.chance(0.15)) {
    const [name, value] = random.pick(HOSTILE_HEADERS);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}

function bodyOf(value: object, random: Random): Buffer {
  const text = JSON.stringify(random.chance(0.6) ? mutateJson(value, random) : value);
  const bytes = Buffer.from(text ?? '');
  return random.chance(0.5) ? mutateBytes(bytes, random) : bytes;
}

function mutatePath(path: string, random: Random): string {
  const inserted = encodeURIComponent(JSON.stringify(hostileValue(random)) ?? '').slice(0, 1_000);
  const index = random.integer(1, path.length);
  const raw = random.pick([inserted, '%', '%zz', '//', '/../', '?', '&&=', ':cancel', '%2e%2e%2f', 'é']);
  return encodePath(path.slice(0, index) + raw + path.slice(index));
}

/** Percent-encodes characters that an HTTP client refuses to send. */
function encodePath(path: string): string {
  return path.replaceAll(/[^\u0021-\u007e]/g, (character) => encodeURIComponent(character));
}
