import type { GuardedClient, OpenedResponse } from '@holdword/net/internal';
import type { Diagnostics } from './diagnostics.ts';

/** A client that adds parameters to every address, and with --debug tells what goes over the wire. */
export function watchedClient(
  client: GuardedClient,
  diagnostics: Diagnostics,
  query: Readonly<Record<string, string>> = {},
): GuardedClient {
  return {
    ...client,
    async open(request) {
      const url = withQuery(request.url, query);
      diagnostics.note(`> ${request.method} ${url} ${JSON.stringify(request.headers)}`);
      if (request.body !== undefined) diagnostics.note(`> ${request.body}`);
      const started = performance.now();
      const response = await client.open({ ...request, url });
      const took = Math.round(performance.now() - started);
      diagnostics.note(`< HTTP ${response.status} after ${took} ms ${JSON.stringify(response.headers)}`);
      return diagnostics.isDebugging ? { ...response, body: told(response, diagnostics) } : response;
    },
  };
}

function withQuery(address: string, query: Readonly<Record<string, string>>): string {
  if (Object.keys(query).length === 0) return address;
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** Whole lines, so that a secret is not shown in two halves. */
async function* told({ body }: OpenedResponse, diagnostics: Diagnostics): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') diagnostics.note(`< ${line}`);
    yield chunk;
  }
  if (rest !== '') diagnostics.note(`< ${rest}`);
}
