import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from '@agentclientprotocol/sdk';
import type { JsonObject, Message } from '@holdword/protocol';
import { textAt } from '../json-value.ts';

/** The kinds of tools that an agent asks permission for, as ACP names them. */
export const TOOL_KINDS = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
] as const;

type ToolKind = (typeof TOOL_KINDS)[number];

/** What an agent is allowed to do. */
export interface PermissionPolicy {
  /** Kinds that are always allowed. */
  readonly allow?: readonly ToolKind[];
  /** The decision for all other kinds; `ask` asks the caller. */
  readonly otherwise: PermissionDecision;
}

export type PermissionDecision = 'refuse' | 'ask' | 'allow';

/** What the agent wants to do. */
export interface WantedPermission {
  readonly kind: ToolKind;
  readonly title: string;
}

export function wantedPermission({ toolCall }: RequestPermissionRequest): WantedPermission {
  const { kind, title, name } = toolCall;
  return { kind: kind ?? 'other', title: title ?? name ?? 'an unnamed action' };
}

export function decidePermission(wanted: WantedPermission, policy: PermissionPolicy): PermissionDecision {
  return policy.allow?.includes(wanted.kind) === true ? 'allow' : policy.otherwise;
}

const PREFERRED: Readonly<Record<'allow' | 'refuse', readonly PermissionOptionKind[]>> = {
  // Prefers a permission for once: the agent asks again, so the policy decides each time.
  allow: ['allow_once', 'allow_always'],
  refuse: ['reject_once', 'reject_always'],
};

/** The decision as one of the options that the agent offers. If none fits, nothing is allowed. */
export function permissionOutcome(
  decision: 'allow' | 'refuse',
  options: readonly PermissionOption[],
): RequestPermissionOutcome {
  for (const kind of PREFERRED[decision]) {
    const option = options.find((each) => each.kind === kind);
    if (option !== undefined) return { outcome: 'selected', optionId: option.optionId };
  }
  return { outcome: 'cancelled' };
}

const KEY = 'permission';
const YES = /^\s*(?:y|yes|ok|okay|allow(?:ed)?)\b/i;

export function questionText({ title, kind }: WantedPermission): string {
  return `The agent asks for permission: ${title} (${kind}). Answer "yes" to allow it once; any other answer is passed on to the agent.`;
}

/** Metadata of the question, so that the next turn understands the answer, even after a restart. */
export function questionMetadata({ title, kind }: WantedPermission): JsonObject {
  return { [KEY]: { title, kind } };
}

/** The permission that the user has just granted: that of the task's last question, if the answer is yes. */
export function grantedPermission(history: readonly Message[]): WantedPermission | undefined {
  const [question, answer] = history.slice(-2);
  if (question?.role !== 'ROLE_AGENT' || answer?.role !== 'ROLE_USER') return undefined;
  const title = textAt(question.metadata, KEY, 'title');
  const kind = TOOL_KINDS.find((each) => each === textAt(question.metadata, KEY, 'kind'));
  if (title === undefined || kind === undefined) return undefined;
  const text = answer.parts.map((part) => part.text ?? '').join(' ');
  return YES.test(text) ? { title, kind } : undefined;
}

/** What the agent is told after the grant, since it was stopped when it asked. */
export function permissionGiven({ title }: WantedPermission): string {
  return `The user allows this once: ${title}. Continue with your task.`;
}
