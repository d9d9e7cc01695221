import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from '@agentclientprotocol/sdk';

/** The kinds of things an agent asks for, as ACP names them. */
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

export type ToolKind = (typeof TOOL_KINDS)[number];

/** What an agent may do that asks before it does something. */
export interface PermissionPolicy {
  /** Kinds that are allowed without a question. */
  readonly allow?: readonly ToolKind[];
  /** What becomes of all others; `ask` puts the question to the caller. */
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
  return { kind: kind ?? 'other', title: title ?? name ?? 'something it does not name' };
}

export function decidePermission(wanted: WantedPermission, policy: PermissionPolicy): PermissionDecision {
  return policy.allow?.includes(wanted.kind) === true ? 'allow' : policy.otherwise;
}

const PREFERRED: Readonly<Record<'allow' | 'refuse', readonly PermissionOptionKind[]>> = {
  // What is allowed once is asked for again: the policy stays the one who decides.
  allow: ['allow_once', 'allow_always'],
  refuse: ['reject_once', 'reject_always'],
};

/** The decision in the words of the agent. Where it offers none that fits, nothing is allowed. */
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
