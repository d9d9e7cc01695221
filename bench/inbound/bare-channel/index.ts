import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Account, PluginApi } from './host.ts';
import { dispatchText } from './dispatch-text.ts';

let running: Account | undefined;

const channel = {
  id: 'bare',
  meta: {
    id: 'bare',
    label: 'Bare',
    selectionLabel: 'Bare',
    docsPath: '/channels/bare',
    blurb: 'For a bench.',
  },
  capabilities: { chatTypes: ['direct'] },
  config: {
    listAccountIds: () => ['default'],
    resolveAccount: () => ({ accountId: 'default' }),
    defaultAccountId: () => 'default',
    isEnabled: () => true,
    isConfigured: () => true,
  },
  gateway: {
    async startAccount(account: Account): Promise<void> {
      running = account;
      await once(account.abortSignal, 'abort');
      running = undefined;
    },
  },
};

/** `POST /bare` with a text and a context returns the reply of the agent: the minimum of a channel. */
async function handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const { text, contextId } = (await json(request)) as { text: string; contextId: string };
  if (running === undefined) response.writeHead(503).end();
  else response.end(JSON.stringify({ result: await dispatchText(running, text, contextId) }));
  return true;
}

export default {
  id: 'bare-channel',
  register(api: PluginApi): void {
    api.registerChannel({ plugin: channel });
    if (api.registrationMode !== 'full') return;
    api.registerHttpRoute({ path: '/bare', auth: 'plugin', match: 'exact', handler: handle });
  },
};
