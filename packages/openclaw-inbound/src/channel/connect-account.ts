import { withTimeout } from '@holdword/protocol/internal';
import type { Executor, Log, Owner, Turn } from '@holdword/runtime';
import { connectWorker } from '@holdword/runtime/connect';
import { callerIdOf, createCallerOf, findPeer } from '../auth/caller.ts';
import type { AccountConfig, AuthConfig } from '../config/account-config.ts';
import { OpenClawExecutor } from '../dispatch/openclaw-executor.ts';
import type { Host } from '../host/host.ts';

/** An account that accepts requests. */
export interface RunningAccount {
  readonly status: { readonly running: number; readonly queued: number };
  stop(options?: { graceMilliseconds?: number }): Promise<void>;
}

export interface ConnectAccountOptions {
  readonly config: AccountConfig & { readonly connect: NonNullable<AccountConfig['connect']> };
  readonly host: Host;
  readonly log: Log;
  /** Stops the account, even while its host cannot be reached. */
  readonly signal: AbortSignal;
}

/** The gateway considers an account stuck after 5 s, and a host that is away must not use them up. */
const MOST_STOP_MILLISECONDS = 4_000;
const NOT_A_PEER = 'This agent accepts only known callers. Ask its operator to add you.';
const NO_FILES = 'This agent accepts only text and data parts. Send the message without files.';

/**
 * Connects an account to its host, which authenticates callers, keeps tasks and serves them. Resolves when the host has accepted
 * the token, or the signal fires.
 *
 * Responsible for what the host's word on a caller is worth: a caller that an entry of `auth.peers` names is that peer, and all
 * others get no tools and no private files. Leaves the turns to OpenClawExecutor.
 */
export async function connectAccount({
  config,
  host,
  log,
  signal,
}: ConnectAccountOptions): Promise<RunningAccount> {
  const { auth, features } = config;
  const ownerOf = createOwnerOf(auth.peers);
  const executor = new OpenClawExecutor({ config, host, callerOf: createCallerOf(config), log });
  const worker = await connectWorker({
    ...config.connect,
    // The answer to a question belongs to the gateway that asked.
    affinity: true,
    executor: withOwners(executor, ownerOf),
    refuse: ({ owner: atHost, message }) => {
      const owner = ownerOf(atHost);
      if (auth.required && findPeer(auth.peers, owner) === undefined) return NOT_A_PEER;
      const hasFiles = message.parts.some(({ raw, url }) => raw !== undefined || url !== undefined);
      return hasFiles && !features.files ? NO_FILES : undefined;
    },
    signal,
    log,
  });
  if (!signal.aborted) log.info(`Connected as ${worker.agent}: ${worker.url}`);
  return {
    get status() {
      return { running: worker.running, queued: 0 };
    },
    stop: async (options) => {
      // A turn that is cut off here is with the host, which gives it to the next worker.
      await withTimeout(worker.stop(options), MOST_STOP_MILLISECONDS).catch(() => {});
    },
  };
}

/** The owner of a turn as the account knows it: a peer, or a caller of the host that is none. */
function createOwnerOf(peers: AuthConfig['peers']): (owner: Owner) => Owner {
  const names = new Map(
    Object.entries(peers).flatMap(([name, { hostCaller }]): [string, string][] =>
      hostCaller === undefined ? [] : [[hostCaller, name]],
    ),
  );
  return ({ tenant, caller, authenticated }) => {
    const name = authenticated ? names.get(caller) : undefined;
    // With a prefix, because a caller of the host may have any name, that of a peer too.
    return { tenant, caller: name === undefined ? `host:${caller}` : callerIdOf(name), authenticated };
  };
}

function withOwners(executor: OpenClawExecutor, ownerOf: (owner: Owner) => Owner): Executor {
  const owned = (turn: Turn): Turn => ({ ...turn, owner: ownerOf(turn.owner) });
  return {
    card: executor.card,
    execute: (turn, sink) => executor.execute(owned(turn), sink),
    resume: (turn, sink) => executor.resume(owned(turn), sink),
    release: (taskId) => executor.release(taskId),
    close: () => executor.close(),
  };
}
