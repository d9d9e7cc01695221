const ID_PREFIX = 'bench-';
const ID_DIGITS = 10;
const PLACEHOLDER = ID_PREFIX + '#'.repeat(ID_DIGITS);

let issued = 0;

export interface JsonRpcRequest {
  method: string;
  params: unknown;
  headers?: Record<string, string>;
}

/**
 * The bytes of an A2A 1.0 JSON-RPC request, built once: each use only writes a new ID of fixed width into a copy, so that the
 * load generator costs far less than the server under load.
 */
export class RequestTemplate {
  /** The placeholder for the ID of the request in the parameters, for example as message ID. */
  static readonly id = PLACEHOLDER;

  readonly #bytes: Buffer;
  readonly #offsets: number[];

  constructor(url: URL, request: JsonRpcRequest) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: PLACEHOLDER,
      method: request.method,
      params: request.params,
    });
    const headers = {
      Host: url.host,
      'Content-Type': 'application/json',
      'A2A-Version': '1.0',
      'Content-Length': Buffer.byteLength(body),
      ...request.headers,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    this.#bytes = Buffer.from([`POST ${url.pathname} HTTP/1.1`, ...lines, '', body].join('\r\n'));
    this.#offsets = offsetsOf(this.#bytes, PLACEHOLDER);
  }

  next(): { id: string; bytes: Buffer } {
    const id = ID_PREFIX + String(issued++).padStart(ID_DIGITS, '0');
    const bytes = Buffer.from(this.#bytes);
    for (const offset of this.#offsets) bytes.write(id, offset, 'latin1');
    return { id, bytes };
  }
}

function offsetsOf(bytes: Buffer, text: string): number[] {
  const offsets: number[] = [];
  for (let offset = bytes.indexOf(text); offset !== -1; offset = bytes.indexOf(text, offset + text.length)) {
    offsets.push(offset);
  }
  return offsets;
}
