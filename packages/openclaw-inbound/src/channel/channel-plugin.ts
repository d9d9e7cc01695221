import type { Log } from '@holdword/runtime';
import type { ChannelGatewayContext, ChannelLogSink, ChannelPlugin, OpenClawConfig } from '../api.ts';
import { DEFAULT_ACCOUNT, readAccounts, type AccountEntry } from '../config/read-accounts.ts';
import { mayHaveOtherTools } from '../config/tool-names.ts';
import { APPROVAL_CONTEXT, approvalCapability, ApprovalRouter } from '../host/approvals.ts';
import { isChannelRuntime } from '../host/channel-runtime.ts';
import type { LiveSessions } from '../host/live-sessions.ts';
import { listAgents, openClawHost } from '../host/openclaw-host.ts';
import { CHANNEL_ID } from '../plugin-names.ts';
import { MemoryStores } from '../stores/memory-stores.ts';
import { accountSnapshot, accountStatus } from './account-status.ts';
import { configReasons, reasonCodes } from './reasons.ts';
import { runAccount } from './run-account.ts';
import { canStart } from './unstarted-accounts.ts';

const DOCS = 'https://github.com/holdword/holdword/blob/main/docs/guides/serve-openclaw-as-a-channel.md';

/** The channel `a2a`. */
export function channelPlugin(sessions: LiveSessions): ChannelPlugin<AccountEntry> {
  const approvals = new ApprovalRouter();
  return {
    id: CHANNEL_ID,
    meta: {
      id: CHANNEL_ID,
      label: 'A2A',
      selectionLabel: 'A2A (Agent2Agent, durable)',
      docsPath: DOCS,
      blurb: 'Other agents call yours over A2A 1.1, 1.0 and 0.3; tasks survive restarts.',
      order: 75,
    },
    capabilities: { chatTypes: ['direct'], media: true, blockStreaming: true },
    reload: { configPrefixes: [`channels.${CHANNEL_ID}`] },
    config: {
      listAccountIds: (config) => accountsOf(config).map(({ accountId }) => accountId),
      resolveAccount: findAccount,
      defaultAccountId,
      isEnabled: ({ enabled }) => enabled,
      isConfigured: canStart,
      disabledReason: () => 'The account is disabled ("enabled": false).',
      // Only the codes: the status lists the messages below its accounts.
      unconfiguredReason: (entry) => reasonCodes(configReasons(entry)),
      describeAccount: (entry) => accountSnapshot(entry, { kind: 'stopped' }),
    },
    approvalCapability: approvalCapability(approvals),
    status: accountStatus,
    gateway: { startAccount: (context) => startGatewayAccount(context, { approvals, sessions }) },
  };
}

/** Resolves when the account has stopped; the gateway would treat resolving earlier as a crash. */
async function startGatewayAccount(
  {
    cfg,
    accountId,
    account,
    channelRuntime,
    abortSignal,
    log,
    setStatus,
  }: ChannelGatewayContext<AccountEntry>,
  shared: { approvals: ApprovalRouter; sessions: LiveSessions },
): Promise<void> {
  if (!isChannelRuntime(channelRuntime)) {
    throw new Error(
      'This gateway does not support dispatching messages from a channel. Upgrade to OpenClaw 2026.9.6 or newer.',
    );
  }
  channelRuntime.runtimeContexts.register({
    channelId: CHANNEL_ID,
    accountId,
    capability: APPROVAL_CONTEXT,
    context: {},
    abortSignal,
  });
  const memoryStores = MemoryStores.shared();
  memoryStores.keepOnly(accountsInMemory(cfg));
  await runAccount({
    entry: account,
    memoryStores,
    host: openClawHost({ accountId, config: cfg, channelRuntime, ...shared }),
    log: hostLog(log),
    signal: abortSignal,
    onState: (state) => setStatus(accountSnapshot(account, state)),
  });
}

/** The accounts in a configuration of the gateway, valid or not. */
export function accountsOf(config: OpenClawConfig): AccountEntry[] {
  const hasOtherTools = mayHaveOtherTools(config);
  return readAccounts(config.channels?.[CHANNEL_ID], listAgents(config), { hasOtherTools });
}

/** An account whose configuration is invalid for now keeps its tasks. */
function accountsInMemory(config: OpenClawConfig): ReadonlySet<string> {
  const entries = accountsOf(config).filter(
    (entry) => (entry.config?.taskStore.kind ?? 'memory') === 'memory',
  );
  return new Set(entries.map(({ accountId }) => accountId));
}

function defaultAccountId(config: OpenClawConfig): string {
  const ids = accountsOf(config).map(({ accountId }) => accountId);
  return ids.includes(DEFAULT_ACCOUNT) ? DEFAULT_ACCOUNT : (ids[0] ?? DEFAULT_ACCOUNT);
}

function findAccount(config: OpenClawConfig, accountId?: string | null): AccountEntry {
  const wanted = accountId || DEFAULT_ACCOUNT;
  return (
    accountsOf(config).find((entry) => entry.accountId === wanted) ?? {
      accountId: wanted,
      enabled: false,
      problems: [`channels.${CHANNEL_ID}.accounts.${wanted}: the account does not exist.`],
      warnings: [],
    }
  );
}

/** The gateway's channel log accepts only strings. */
function hostLog(sink: ChannelLogSink | undefined): Log {
  return {
    info: (message, fields) => sink?.info(line(message, fields)),
    warn: (message, fields) => sink?.warn(line(message, fields)),
    error: (message, fields) => sink?.error(line(message, fields)),
  };
}

function line(message: string, fields: Record<string, unknown> = {}): string {
  return Object.keys(fields).length === 0 ? message : `${message} ${JSON.stringify(fields)}`;
}
