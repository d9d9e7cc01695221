import { Agent, request as openRequest } from 'node:http';
import { connect } from 'node:net';
import type { Random } from '../random.ts';
import { problemOf, type FuzzResponse } from './check-http-response.ts';
import { httpRequest, type FuzzRequest } from './http-requests.ts';
import { mutateBytes } from './mutate-bytes.ts';

/** Sends malformed requests over HTTP. Each call returns a problem, or undefined if the server behaved correctly. */
export class HttpFuzzer {
  readonly #address: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(address: string) {
    this.#address = new URL(address);
  }

  close(): void {
    this.#agent.destroy();
  }

  async send(random: Random): Promise<string | undefined> {
    const request = httpRequest(random);
    if (random.chance(0.05)) return this.#sendRaw(request, random);
    const response = await this.#exchange(request);
    const problem = problemOf(request, response);
    return (
      problem &&
      `${problem}: ${request.binding} ${request.verb} ${request.path} ${JSON.stringify(request.headers)} ` +
        `${request.body?.toString('latin1').slice(0, 300) ?? ''} -> ${response.status} ${response.body.slice(0, 300)}`
    );
  }

  #exchange({ verb, path, headers, body }: FuzzRequest): Promise<FuzzResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = openRequest({
        host: this.#address.hostname,
        port: this.#address.port,
        agent: this.#agent,
        method: verb,
        path,
        headers: { ...headers, ...(body && { 'content-length': body.length }) },
        timeout: 30_000,
      });
      outgoing.once('timeout', () =>
        outgoing.destroy(new Error(`No response to ${verb} ${path} within 30 s.`)),
      );
      outgoing.once('error', reject);
      outgoing.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('error', reject);
        response.once('end', () => {
          const contentType = response.headers['content-type'] ?? '';
          resolve({ status: response.statusCode ?? 0, contentType, body: text });
        });
      });
      outgoing.end(body);
    });
  }

  /** Bytes that may not be HTTP: truncated headers and bodies, wrong lengths. The server responds or disconnects. */
  #sendRaw(
    { verb, path, headers, body = Buffer.alloc(0) }: FuzzRequest,
    random: Random,
  ): Promise<string | undefined> {
    const head = Object.entries({
      host: 'localhost',
      ...headers,
      'content-length': String(body.length + random.integer(-3, 3)),
    })
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const whole = Buffer.concat([Buffer.from(`${verb} ${path} HTTP/1.1\r\n${head}\r\n`), body]);
    const sent = random.chance(0.5) ? mutateBytes(whole, random) : whole;
    return new Promise((resolve) => {
      let response = '';
      const socket = connect(Number(this.#address.port), this.#address.hostname, () => socket.end(sent));
      socket.setTimeout(30_000, () => socket.destroy());
      socket.setEncoding('latin1').on('data', (text: string) => (response += text));
      socket.on('error', () => {});
      socket.once('close', () => {
        const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
        resolve(
          status >= 500
            ? `status ${status} to raw bytes: ${sent.toString('latin1').slice(0, 400)}`
            : undefined,
        );
      });
    });
  }
}
