import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '@holdword/store/internal';
import type { getSessionEntry, patchSessionEntry } from '../api.ts';
import type { ToolAccess } from '../config/account-config.ts';
import type { HostTurn } from './host.ts';

/** The part of the gateway's session entries that limits what a session can do. */
type SessionEntry = NonNullable<ReturnType<typeof getSessionEntry>>;
type Limit = 'subagentRole' | 'permissionMode' | 'sessionRoot' | 'spawnedCwd';
/** Undefined removes a limit. */
type SessionLimits = { readonly [Name in Limit]: SessionEntry[Name] | undefined };

/** A session of the gateway. */
export interface SessionRef {
  readonly agentId: string;
  readonly sessionKey: string;
}

/** Undefined removes a field. */
type EntryPatch = { readonly [Name in keyof SessionEntry]?: SessionEntry[Name] | undefined };

/** The run of an earlier process, as ended. Otherwise the gateway would reject further turns of the session. */
const ENDED: EntryPatch = {
  status: 'killed',
  abortedLastRun: false,
  restartRecoveryDeliveryReceiptState: undefined,
};

type LimitedTurn = Pick<HostTurn, 'tools' | 'privateFiles' | 'workspace'>;

export interface SessionStore {
  readonly getEntry: typeof getSessionEntry;
  readonly patchEntry: typeof patchSessionEntry;
  /** The store of an agent's sessions. */
  readonly pathOf: (agentId: string) => string;
  /** The folder with the workspaces of callers. */
  readonly workspaces: string;
}

/**
 * Records in the gateway's own session entry what a session may do, so that it holds without this plugin.
 *
 * After a crash, the gateway resumes the sessions whose run was interrupted, with all tools of the agent, unless they belong
 * to somebody else: for example subagents, which their parents resume. The sessions of this channel belong to the journal, so
 * they are marked the same way, and the run that a crash has left in an entry is ended here, as the gateway would do. Other
 * runs of the session, for example by an operator, are confined by its permission mode.
 */
export class SessionGuard {
  readonly #store: SessionStore;
  /** Runs that have not changed since are of an earlier process. */
  readonly #startedAt = Date.now();
  /** The real paths of the workspaces that exist. */
  readonly #folders = new Map<string, string>();

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** Resolves when the session has the limits of the turn; rejects if they could not be recorded. */
  async limit(session: SessionRef, turn: LimitedTurn): Promise<void> {
    const limits = await this.#limitsOf(turn);
    const known = this.#read(session);
    const isOrphaned = known?.status === 'running' && known.updatedAt < this.#startedAt;
    if (!isOrphaned && hasLimits(known, limits)) return;
    const entry = await this.#store.patchEntry({
      ...this.#locate(session),
      // The gateway creates the entry at about the same time.
      fallbackEntry: { sessionId: randomUUID(), updatedAt: Date.now() },
      update: () => ({ ...limits, ...(isOrphaned && ENDED) }) as Partial<SessionEntry>,
      preserveActivity: true,
      skipMaintenance: true,
      requireWriteSuccess: true,
    });
    if (entry === null) throw new Error('The limits of the session could not be stored.');
  }

  /** Whether the session still has the limits of the turn: the gateway drops some of them when it resets a session. */
  async isLimited(session: SessionRef, turn: LimitedTurn): Promise<boolean> {
    return hasLimits(this.#read(session), await this.#limitsOf(turn));
  }

  /** Every turn reads its entry twice, so without the text of the skills, which is most of it. */
  #read(session: SessionRef): SessionEntry | undefined {
    return this.#store.getEntry({ ...this.#locate(session), hydrateSkillPromptRefs: false });
  }

  #locate({ agentId, sessionKey }: SessionRef): { agentId: string; sessionKey: string; storePath: string } {
    return { agentId, sessionKey, storePath: this.#store.pathOf(agentId) };
  }

  async #limitsOf(turn: LimitedTurn): Promise<SessionLimits> {
    const folder = await this.#folderOf(turn);
    return {
      subagentRole: 'leaf',
      permissionMode: permissionModeOf(turn.tools),
      sessionRoot: folder,
      spawnedCwd: folder,
    };
  }

  /** The workspace of the caller; undefined if its turns run in the workspace of the agent. */
  async #folderOf({ tools, privateFiles, workspace }: LimitedTurn): Promise<string | undefined> {
    if (privateFiles || tools === 'all') return undefined;
    const known = this.#folders.get(workspace);
    if (known !== undefined) return known;
    const folder = join(this.#store.workspaces, workspace);
    makeFolders(folder);
    // The gateway compares real paths.
    const path = await realpath(folder);
    this.#folders.set(workspace, path);
    return path;
  }
}

function hasLimits(entry: SessionEntry | undefined, limits: SessionLimits): boolean {
  return (
    entry !== undefined &&
    entry.subagentRole === limits.subagentRole &&
    entry.permissionMode === limits.permissionMode &&
    entry.sessionRoot === limits.sessionRoot &&
    entry.spawnedCwd === limits.spawnedCwd
  );
}

/** A caller that may run programs is not confined: a program can read any file. */
function permissionModeOf(tools: ToolAccess): SessionLimits['permissionMode'] {
  if (tools === 'none') return 'read-only';
  return tools === 'all' || tools.includes('exec') ? undefined : 'guarded';
}
