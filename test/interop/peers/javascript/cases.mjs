// Runs the cases of a client and prints one line of JSON for each, as README.md of the lab describes.
import assert from 'node:assert/strict';
import process from 'node:process';

const TIMEOUT_MILLISECONDS = 30_000;
export const PUSH_TOKEN = 'token-of-the-lab';

/** The SDK has nothing for this case; the message says what is missing. */
export class Skip extends Error {}

/** What the harness gives to every client. */
export function readArguments() {
  const [baseUrl, binding, version, webhook, securedUrl, key] = process.argv.slice(2);
  return { baseUrl, binding, version, webhook, securedUrl, key, isLegacy: version === '0.3' };
}

export function shorten(error) {
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.name}: ${error.message}${cause}`.replaceAll(/\s+/g, ' ').slice(0, 400);
}

export async function collect(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Awaits a call that must fail in a way that the check recognizes. */
export async function expectError(call, isExpected) {
  let error;
  try {
    await call;
  } catch (caught) {
    error = caught;
  }
  assert.ok(error !== undefined, 'expected an error, found an answer');
  assert.ok(isExpected(error), `another error: ${shorten(error)}`);
}

export function expectUnauthenticated(call) {
  return expectError(call, (error) =>
    /401|UNAUTHENTICATED|Authentication required/i.test(`${shorten(error)} ${error.statusCode ?? ''}`),
  );
}

/** Asks the harness for the notifications of a task; it answers when the last one has arrived. */
export async function delivered(webhook, name) {
  const response = await fetch(`${webhook}/${name}`);
  const text = await response.text();
  assert.ok(response.ok, text);
  assert.equal(JSON.parse(text).token, PUSH_TOKEN, 'token of the notification');
}

/** Runs the functions of an object in order. */
export async function run(cases) {
  for (const [name, test] of Object.entries(cases)) {
    const line = { case: name, ok: true, detail: '' };
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('no answer within 30 s')), TIMEOUT_MILLISECONDS);
    });
    try {
      line.detail = (await Promise.race([test(), late])) ?? '';
    } catch (error) {
      line.ok = false;
      if (error instanceof Skip) line.skipped = true;
      line.detail = error instanceof Skip ? error.message : shorten(error);
    }
    clearTimeout(timer);
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  // Open connections of the clients would keep the process alive.
  process.exit(0);
}
