import type { JsonObject } from '@holdword/protocol';
import { nearestName } from '@holdword/protocol/internal';
import { NEW_SESSION_FIELD } from '../sessions/declared-sessions.ts';
import { showValue } from '../wire/hub-error.ts';

/** Tells the sender about a parameter that did not have the effect it may have expected. */
export interface RequestWarning {
  readonly code: 'ignored_argument' | 'alias_argument' | 'invalid_argument';
  readonly argument: string;
  readonly message: string;
}

/** Fields that can hold the text of a message without parts. */
export const TEXT_FIELDS = ['text', 'input', 'content', 'prompt', 'reflection', 'reflection_prompt'] as const;

/** The canonical parameter names of `message/send`. */
export const MESSAGE_ARGUMENTS: readonly string[] = [
  'message',
  'configuration',
  'metadata',
  'mode',
  'profile',
  'response_mode',
  'minimal_response',
  'include_artifacts',
  'include_nudge',
  'embed_tool_schemas',
  'legacy_contract',
  'session_id',
  NEW_SESSION_FIELD,
  'context_id',
  'agent_id',
  'task_id',
  'blocking',
];

/** Aliases of parameters and their canonical names. */
const ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(TEXT_FIELDS.map((name) => [name, 'message'])),
  sessionId: 'session_id',
  contextId: 'context_id',
  agentId: 'agent_id',
  taskId: 'task_id',
};

/** Warns about each parameter that is an alias or unknown. */
export function argumentWarnings(params: JsonObject, more: readonly string[]): RequestWarning[] {
  const known = [...MESSAGE_ARGUMENTS, ...more];
  return Object.keys(params)
    .filter((name) => !known.includes(name))
    .map((argument) => {
      const canonical = Object.hasOwn(ALIASES, argument) ? ALIASES[argument] : undefined;
      if (canonical !== undefined)
        return { code: 'alias_argument', argument, message: `Alias of ${canonical}.` };
      const nearest = nearestName(argument, known);
      const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
      return { code: 'ignored_argument', argument, message: `Unknown parameter, ignored.${hint}` };
    });
}

/** Reads optional parameters and collects warnings about invalid values. */
export class ArgumentReader {
  readonly warnings: RequestWarning[] = [];
  readonly #params: JsonObject;

  constructor(params: JsonObject) {
    this.#params = params;
  }

  flag(name: string, standard: boolean): boolean {
    const value = this.#params[name];
    if (value === undefined || value === null) return standard;
    if (typeof value === 'boolean') return value;
    this.#warn(name, 'true or false', value, String(standard));
    return standard;
  }

  choice<Name extends string>(name: string, choices: readonly Name[], standard: Name): Name {
    const value = this.#params[name];
    if (value === undefined || value === null) return standard;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.#warn(name, `one of ${choices.join(', ')}`, value, standard);
    return chosen ?? standard;
  }

  #warn(argument: string, expected: string, found: unknown, used: string): void {
    this.warnings.push({
      code: 'invalid_argument',
      argument,
      message: `Expected ${expected}, found ${showValue(found)}; using ${used}.`,
    });
  }
}
