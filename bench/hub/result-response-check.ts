import type { ResponseSink } from '../load/http-response-reader.ts';

/** Verifies a JSON-RPC response: the ID of the request and a result with the given fields. */
export class ResultResponseCheck implements ResponseSink {
  readonly #id: string;
  readonly #fields: readonly string[];
  #body = '';

  constructor(id: string, fields: readonly string[]) {
    this.#id = id;
    this.#fields = fields;
  }

  body(part: Buffer): void {
    this.#body += part.toString('latin1');
  }

  end(status: number): void {
    if (status === 200 && this.#isValid(JSON.parse(this.#body))) return;
    throw new Error(
      `Expected 200 with ${this.#fields.join(', ')} for ${this.#id}, received ${status} with ${this.#body.slice(0, 400)}.`,
    );
  }

  #isValid({ id, result }: { id?: unknown; result?: Record<string, unknown> }): boolean {
    return (
      id === this.#id && result !== undefined && this.#fields.every((field) => result[field] !== undefined)
    );
  }
}
