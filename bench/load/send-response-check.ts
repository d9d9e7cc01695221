import type { ResponseSink } from './http-response-reader.ts';

interface SendResponse {
  id?: unknown;
  result?: {
    task?: {
      status?: { state?: unknown };
      artifacts?: { parts?: { text?: unknown }[] }[];
    };
  };
}

/** One of this many responses is parsed; the others are checked by substrings. */
const RESPONSES_PER_PARSED_ONE = 16;
let responses = 0;

/**
 * Verifies the response of a blocking SendMessage: the ID of the request, a completed task, one artifact with the text.
 * Parsing every response would take a sixth of the load generator's time, on CPUs that the server could use.
 */
export class SendResponseCheck implements ResponseSink {
  readonly #id: string;
  readonly #text: string;
  #body = '';

  constructor(id: string, text: string) {
    this.#id = id;
    this.#text = text;
  }

  body(part: Buffer): void {
    this.#body += part.toString('latin1');
  }

  end(status: number): void {
    const isParsed = responses++ % RESPONSES_PER_PARSED_ONE === 0;
    if (status === 200 && this.#hasExpectedText() && (!isParsed || this.#isValid(JSON.parse(this.#body))))
      return;
    throw new Error(
      `Expected 200 with a completed task and the artifact "${this.#text}" for ${this.#id}, ` +
        `received ${status} with ${this.#body.slice(0, 400)}.`,
    );
  }

  #hasExpectedText(): boolean {
    const artifacts = this.#body.indexOf('"artifacts":[{');
    return (
      artifacts !== -1 &&
      this.#body.includes(`"id":"${this.#id}"`) &&
      this.#body.includes('"state":"TASK_STATE_COMPLETED"') &&
      // Before the artifacts it may be the text of the status message.
      this.#body.includes(`"text":"${this.#text}"`, artifacts)
    );
  }

  #isValid(response: SendResponse): boolean {
    const task = response.result?.task;
    return (
      response.id === this.#id &&
      task?.status?.state === 'TASK_STATE_COMPLETED' &&
      task.artifacts?.length === 1 &&
      task.artifacts[0]?.parts?.[0]?.text === this.#text
    );
  }
}
