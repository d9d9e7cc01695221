import type {
  ApprovalDecision,
  Host,
  HostEvent,
  HostRoute,
  HostTurn,
  HostTurnEnd,
  IncomingFile,
  SavedFile,
} from '../host/host.ts';

/** What the host does with a turn. It emits events through `turn.onEvent`, as a gateway does. */
export type TurnScript = (turn: HostTurn) => Promise<HostTurnEnd | void> | HostTurnEnd | void;

/** A host without a gateway whose agent follows a script. */
export class ScriptedHost implements Host {
  readonly producedFileFolders: readonly string[];
  readonly turns: HostTurn[] = [];
  readonly decisions: ApprovalDecision[] = [];
  readonly savedFiles: IncomingFile[] = [];
  readonly #script: TurnScript;
  onDecision: (decision: ApprovalDecision) => boolean = () => true;

  constructor(script: TurnScript, producedFileFolders: readonly string[] = []) {
    this.#script = script;
    this.producedFileFolders = producedFileFolders;
  }

  async dispatch(turn: HostTurn): Promise<HostTurnEnd> {
    this.turns.push(turn);
    return (await this.#script(turn)) ?? { kind: 'ended' };
  }

  async saveFile(file: IncomingFile): Promise<SavedFile> {
    this.savedFiles.push(file);
    return { path: `/saved/${this.savedFiles.length}`, mediaType: file.mediaType, name: file.name };
  }

  async decideApproval(decision: ApprovalDecision): Promise<boolean> {
    this.decisions.push(decision);
    return this.onDecision(decision);
  }

  registerRoute(_route: HostRoute): () => void {
    return () => {};
  }
}

/** Emits the events of an answer with one assistant message, as the gateway does. */
export function answer({ onEvent }: Pick<HostTurn, 'onEvent'>, text: string): void {
  for (const event of assistantMessage(text)) onEvent(event);
  onEvent({ kind: 'outcome', outcome: 'completed' });
  onEvent(finalReply(text));
}

/** A message streamed word by word. */
export function assistantMessage(text: string): HostEvent[] {
  const words = text.split(' ');
  return [
    { kind: 'assistant-message-started' },
    ...words.map((_, index) => ({
      kind: 'partial-text' as const,
      text: words.slice(0, index + 1).join(' '),
    })),
  ];
}

export function finalReply(text: string): HostEvent {
  return { kind: 'reply', reply: 'final', text, media: [], isError: false };
}

export function toolCall(name: string, callId: string, output?: string): HostEvent[] {
  const call = { kind: 'tool', name, callId } as const;
  return [
    { ...call, phase: 'start' },
    ...(output === undefined ? [] : [{ ...call, phase: 'update' as const, output }]),
    { ...call, phase: 'result', status: 'completed' },
  ];
}

/** A turn that runs until it is aborted. */
export function untilAborted({ signal }: HostTurn): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
