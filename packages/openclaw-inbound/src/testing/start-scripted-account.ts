import type { Message, SendMessageRequest, StreamResponse, Task } from '@holdword/protocol';
import {
  startRuntime,
  type Log,
  type RequestContext,
  type Operations,
  type Owner,
  type Runtime,
} from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import { openMemoryStore, type Store } from '@holdword/store';
import { onTestFinished } from 'vitest';
import { createCallerOf } from '../auth/caller.ts';
import { readAccounts } from '../config/read-accounts.ts';
import { OpenClawExecutor } from '../dispatch/openclaw-executor.ts';
import { ScriptedHost, type TurnScript } from './scripted-host.ts';

/** An account without HTTP routes: its runtime on a scripted host. */
export interface ScriptedAccount {
  readonly host: ScriptedHost;
  readonly operations: Operations;
  readonly runtime: Runtime;
  readonly store: Store;
  readonly send: (text: string, options?: SendOptions) => Promise<Task | Message>;
  readonly sendForTask: (text: string, options?: SendOptions) => Promise<Task>;
  readonly stream: (text: string, options?: SendOptions) => Promise<StreamResponse[]>;
}

export interface SendOptions {
  readonly owner?: Owner;
  readonly message?: Partial<Message>;
  readonly request?: Partial<SendMessageRequest>;
}

export interface ScriptedAccountOptions {
  /** Settings of the account, added to those that every test needs. */
  readonly account?: Record<string, unknown>;
  readonly store?: Store;
  readonly fileFolders?: readonly string[];
  /** Shorter waits than the defaults of the executor. */
  readonly retryMilliseconds?: number;
  readonly stopMilliseconds?: number;
  readonly log?: Log;
}

/** The peer `alice` of the test accounts: all tools, and she decides approvals herself. */
export const ALICE: Owner = { tenant: '', caller: 'peer:alice', authenticated: true };
export const ANONYMOUS: Owner = { tenant: '', caller: 'anonymous', authenticated: false };

const ANY_DIGEST = '0'.repeat(64);
const patient = new AbortController().signal;

export async function startScriptedAccount(
  script: TurnScript,
  options: ScriptedAccountOptions = {},
): Promise<ScriptedAccount> {
  const { config, problems } = readAccount(options.account);
  if (config === undefined) throw new Error(problems.join('\n'));
  const host = new ScriptedHost(script, options.fileFolders);
  const store = options.store ?? openMemoryStore();
  const { retryMilliseconds = 300, stopMilliseconds = 5_000, log = noopLog } = options;
  const executor = new OpenClawExecutor({
    config,
    host,
    callerOf: createCallerOf(config),
    log,
    retryMilliseconds,
    stopMilliseconds,
  });
  const runtime = await startRuntime({ store, executor, includeSequence: false });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const { operations } = runtime;
  const send: ScriptedAccount['send'] = async (text, sending) => {
    const sent = await operations.sendMessage(requestOf(text, sending), requestContext(sending));
    return 'task' in sent ? sent.task : sent.message;
  };
  return {
    host,
    operations,
    runtime,
    store,
    send,
    async sendForTask(text, sending) {
      const sent = await send(text, sending);
      if ('messageId' in sent) throw new Error('Expected a task, found a plain message.');
      return sent;
    },
    async stream(text, sending) {
      const events: StreamResponse[] = [];
      for await (const frames of await operations.sendStreamingMessage(
        requestOf(text, sending),
        requestContext(sending),
      )) {
        events.push(...frames.map(({ json }) => JSON.parse(json) as StreamResponse));
      }
      return events;
    },
  };
}

export function requestContext({ owner = ALICE }: SendOptions = {}): RequestContext {
  return { owner, extensions: new Set(), signal: patient };
}

function requestOf(text: string, { message, request }: SendOptions = {}): SendMessageRequest {
  const said = text === '' ? [] : [{ text }];
  return {
    message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: said, ...message },
    ...request,
  };
}

function readAccount(account: Record<string, unknown> = {}) {
  const peers = { alice: { keySha256: ANY_DIGEST, tools: 'all', mayApprove: true } };
  const given = { publicBaseUrl: 'http://127.0.0.1', auth: { peers }, ...account };
  const [entry] = readAccounts({ accounts: { default: given } });
  if (entry === undefined) throw new Error('Expected an account.');
  return entry;
}
