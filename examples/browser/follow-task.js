// Sends a message and yields the events of its task, each exactly once, however often the connection is lost. Uses only fetch.

const RESUME = 'urn:holdword:a2a:resume:v1';
const ENDED = /_(COMPLETED|FAILED|CANCELED|REJECTED|INPUT_REQUIRED)$/;
const LONGEST_PAUSE = 5_000;

/**
 * @param {{ url: string, key?: string, text: string, onLost?: (reason: string) => void }} options
 * `url` is the address of the HTTP+JSON interface on the agent card.
 */
export async function* followTask({ url, key, text, onLost = () => {} }) {
  const headers = {
    'A2A-Version': '1.0',
    'A2A-Extensions': RESUME,
    ...(key && { Authorization: `Bearer ${key}` }),
  };
  // If the connection is lost before the first event, the same request returns the same task.
  const sending = {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() },
    body: JSON.stringify({
      message: { role: 'ROLE_USER', messageId: crypto.randomUUID(), parts: [{ text }] },
    }),
  };
  let taskId;
  let last = 0;
  let pause = 250;
  for (;;) {
    try {
      const response = taskId
        ? await fetch(`${url}/tasks/${taskId}:subscribe`, {
            headers: { ...headers, 'Last-Event-ID': String(last) },
          })
        : await fetch(`${url}/message:stream`, sending);
      await requireStream(response);
      for await (const { id, data } of readEvents(response.body)) {
        taskId ??= data.task?.id;
        // A stream that is resumed begins with the task as of the last event, which was seen before.
        if (id <= last) continue;
        last = id;
        pause = 250;
        yield { id, ...data };
        if (ENDED.test(stateIn(data))) return;
      }
      onLost('the stream ended before the task did');
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      onLost(String(error));
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }
}

/** The state of the task in an event, or nothing. A plain message is the whole answer. */
function stateIn({ task, statusUpdate, message }) {
  return message ? '_COMPLETED' : ((task ?? statusUpdate)?.status.state ?? '');
}

/** The agent has answered with an error that a retry does not change. */
class RefusedError extends Error {}

async function requireStream(response) {
  if (response.ok) return;
  const reason = `${response.status}: ${await response.text()}`;
  // Busy, or being restarted behind a proxy: try again.
  throw response.status === 429 || response.status >= 500 ? new Error(reason) : new RefusedError(reason);
}

/** The server-sent events of a body, as `{ id, data }`. */
async function* readEvents(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      const frames = buffer.split('\n\n');
      buffer = frames.pop();
      for (const frame of frames) {
        const data = /^data: ?(.*)$/m.exec(frame)?.[1];
        // A frame without data is a comment that keeps the connection alive.
        if (data !== undefined) yield { id: Number(/^id: ?(.*)$/m.exec(frame)?.[1]), data: JSON.parse(data) };
      }
    }
  } finally {
    await reader.cancel();
  }
}
