import type { ChatTurn } from '../harness/gateway-chat.ts';
import type { OutboundGateway } from './start-outbound.ts';

/** A result of `remote_agent` as the model reads it. */
export interface ModelResult {
  readonly ok: boolean;
  readonly action: string;
  readonly summary: {
    readonly message_text?: string;
    readonly response_kind?: string;
    readonly continuation?: Continuation;
    readonly question?: Readonly<Record<string, unknown>>;
    readonly [field: string]: unknown;
  };
  /** Kinds, ids and states; files and data between markers. */
  readonly raw?: { readonly events?: readonly RawEvent[]; readonly content?: string };
  readonly error?: { readonly code: string; readonly message: string; readonly details?: object };
}

export interface RawEvent {
  readonly kind: string;
  readonly status?: { readonly state: string };
  readonly artifact?: { readonly artifactId: string };
}

export interface Continuation {
  readonly task?: {
    readonly task_handle?: string;
    readonly task_id: string;
    readonly status?: string;
    readonly can_watch?: boolean;
  };
  readonly [field: string]: unknown;
}

type ToolParams = Readonly<Record<string, unknown>>;
/** The calls of a turn, one after the other; each may depend on the result before it. */
export type Calls = readonly (ToolParams | ((result: ModelResult) => ToolParams | Promise<ToolParams>))[];

/** A call of any tool: its name and its parameters. */
type AnyCall = readonly [tool: string, params: ToolParams];

let turns = 0;

export interface RunningTurn {
  readonly turn: ChatTurn;
  /** The results, once the turn has ended. */
  readonly results: () => Promise<ModelResult[]>;
}

type Caller = Pick<OutboundGateway, 'model' | 'chat'>;

/** Makes the model call the tool in a separate turn. */
export async function beginTurn(gateway: Caller, calls: Calls): Promise<RunningTurn> {
  const { turn, results } = await beginToolTurn(
    gateway,
    calls.map((next) => async (result: string | undefined): Promise<AnyCall> => [
      'remote_agent',
      typeof next === 'function' ? await next(resultOf(result)) : next,
    ]),
  );
  return { turn, results: async () => (await results()).map(resultOf) };
}

export async function callInTurn(gateway: Caller, ...calls: Calls): Promise<ModelResult[]> {
  const { results } = await beginTurn(gateway, calls);
  return results();
}

/** Makes the model call several tools, one after the other, and returns what it reads. */
export async function callTools(
  gateway: Caller,
  calls: readonly (AnyCall | ((result: string) => AnyCall))[],
): Promise<string[]> {
  const { results } = await beginToolTurn(
    gateway,
    calls.map(
      (next) =>
        async (result = '') =>
          typeof next === 'function' ? next(result) : next,
    ),
  );
  return results();
}

async function beginToolTurn(
  { model, chat }: Caller,
  calls: readonly ((result: string | undefined) => Promise<AnyCall>)[],
): Promise<{ turn: ChatTurn; results: () => Promise<string[]> }> {
  turns += 1;
  const word = `turn-number-${turns}.`;
  model.when(word, async (answer, { toolResults }) => {
    const next = calls[toolResults.length];
    if (next === undefined) return answer.text('That is all.');
    const [tool, params] = await next(toolResults.at(-1));
    answer.callTool(tool, params, `call_${turns}_${toolResults.length}`);
  });
  const turn = await chat.say(`Please do ${word}`);
  return {
    turn,
    async results() {
      await turn.ended;
      return [...(model.requestsWith(word).at(-1)?.toolResults ?? [])];
    },
  };
}

function resultOf(text = '{}'): ModelResult {
  return JSON.parse(text);
}

/** The progress updates of one tool call of a turn. */
export function toolUpdates({ events }: ChatTurn, call: number): string[] {
  return events
    .filter(({ stream, data }) => stream === 'tool' && data?.['phase'] === 'update')
    .filter(({ data }) => String(data?.['toolCallId']).endsWith(`_${call}`))
    .map(({ data }) => JSON.stringify(data?.['partialResult']));
}
