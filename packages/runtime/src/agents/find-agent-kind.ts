import type { AgentKind } from './agent-kind.ts';
import { AGENT_KINDS } from './agent-kinds.ts';

/** An agent by name, with the option that followed its name. */
export interface NamedAgent {
  readonly kind: AgentKind;
  readonly options: Readonly<Record<string, string>>;
}

/** Parses `openclaw` or `exec:wc -w`. Returns undefined for other names. */
export function findAgentKind(text: string): NamedAgent | undefined {
  const colon = text.indexOf(':');
  const name = colon === -1 ? text : text.slice(0, colon);
  const kind = AGENT_KINDS.find((each) => each.name === name);
  if (kind === undefined) return undefined;
  if (colon === -1) return { kind, options: {} };
  if (kind.mainOption === undefined) return undefined;
  return { kind, options: { [kind.mainOption]: text.slice(colon + 1) } };
}
