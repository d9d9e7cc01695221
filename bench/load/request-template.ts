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
 * The bytes of a JSON-RPC request over A2A 1.0, built once: each use only stamps a new id of fixed width into a copy, so
 * that the load generator costs far less than the server it loads.
 */
export class RequestTemplate {
  /** Stands for the id of the request wherever the parameters need one, for example as message id. */
  static readonly id = PLACEHOLDER;

  readonly #bytes: Buffer;
  readonly #offsets: number[];

  constructor(url: URL, call: JsonRpcRequest) {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: PLACEHOLDER,
      method: call.method,
      params: call.params,
    });
    const headers = {
      Host: url.host,
      'Content-Type': 'application/json',
      'A2A-Version': '1.0',
      'Content-Length': Buffer.byteLength(body),
      ...call.headers,
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
