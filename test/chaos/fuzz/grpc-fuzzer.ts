import { connect, constants, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { SendMessageRequest } from '@a2a-js/sdk';
import { A2AService, LegacyA2AService } from '@holdword/protocol/internal/grpc';
import type { Random } from '../random.ts';
import { mutateBytes, noise } from './mutate-bytes.ts';
import { mutateJson } from './mutate-json.ts';

const PATHS = [
  ...Object.values(A2AService).map(({ path }) => path),
  ...Object.values(LegacyA2AService).map(({ path }) => path),
];
const MESSAGE = { message: { messageId: 'fuzz', role: 'ROLE_USER', parts: [{ text: 'echo fuzz' }] } };
const VALID = encode(MESSAGE);
/** The gRPC statuses UNKNOWN and INTERNAL. */
const OUR_FAULT = new Set(['2', '13']);

/** Sends garbage to the gRPC port over plain HTTP/2. Each call returns a problem, or undefined. */
export class GrpcFuzzer {
  readonly #address: string;
  #session: ClientHttp2Session | undefined;

  constructor(address: string) {
    this.#address = `http://${address}`;
  }

  close(): void {
    this.#session?.destroy();
  }

  async send(random: Random): Promise<string | undefined> {
    const path = random.chance(0.95) ? random.pick(PATHS) : '/no.such.Service/Method';
    const body = frame(payload(random), random);
    const contentType = random.chance(0.97) ? 'application/grpc' : 'text/plain';
    const status = await this.#exchange(path, contentType, body);
    if (status === undefined || !OUR_FAULT.has(status.code)) return undefined;
    return `gRPC status ${status.code} (${status.message}): ${path} ${body.toString('hex').slice(0, 300)}`;
  }

  /** The status from the server; undefined if it reset the stream, which HTTP/2 allows. */
  #exchange(
    path: string,
    contentType: string,
    body: Buffer,
  ): Promise<{ code: string; message: string } | undefined> {
    return new Promise((resolve) => {
      const stream = this.#open().request({
        ':method': 'POST',
        ':path': path,
        'content-type': contentType,
        te: 'trailers',
      });
      let found: { code: string; message: string } | undefined;
      const note = ({ 'grpc-status': code, 'grpc-message': message }: IncomingHttpHeaders): void => {
        if (typeof code === 'string') found = { code, message: String(message) };
      };
      stream.on('response', note);
      stream.on('trailers', note);
      stream.on('error', () => {});
      stream.on('close', () => resolve(found));
      stream.setTimeout(30_000, () => {
        found = { code: '2', message: 'no response within 30 s' };
        stream.close(constants.NGHTTP2_CANCEL);
      });
      stream.resume();
      stream.end(body);
    });
  }

  #open(): ClientHttp2Session {
    if (this.#session === undefined || this.#session.closed || this.#session.destroyed) {
      this.#session = connect(this.#address);
      this.#session.on('error', () => {});
    }
    return this.#session;
  }
}

function payload(random: Random): Buffer {
  if (random.chance(0.3)) return noise(random, random.pick([0, 1, 5, 100, 2_000]));
  if (random.chance(0.5)) return mutateBytes(VALID, random);
  try {
    return encode(mutateJson(MESSAGE, random));
  } catch {
    // The codec itself rejects some mutations.
    return VALID;
  }
}

function encode(json: unknown): Buffer {
  return A2AService.sendMessage.requestSerialize(SendMessageRequest.fromJSON(json));
}

/** The five bytes before a message: the compression flag and the length; sometimes wrong. */
function frame(message: Buffer, random: Random): Buffer {
  if (random.chance(0.05)) return message;
  const head = Buffer.alloc(5);
  head[0] = random.chance(0.95) ? 0 : random.integer(1, 255);
  const length = random.chance(0.9) ? message.length : random.integer(0, 2 ** 32 - 1);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}
