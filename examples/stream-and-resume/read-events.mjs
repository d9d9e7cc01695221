/** The server-sent events of a response, as `{ id, data }`. Leaving the loop closes the connection. */
export async function* readEvents(response) {
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  let buffer = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    buffer += chunk;
    const frames = buffer.split('\n\n');
    buffer = frames.pop();
    for (const frame of frames) {
      const id = /^id: ?(.*)$/m.exec(frame)?.[1];
      const data = /^data: ?(.*)$/m.exec(frame)?.[1];
      // A frame without data is a comment that keeps the connection alive.
      if (data !== undefined) yield { id: Number(id), data: JSON.parse(data) };
    }
  }
}
