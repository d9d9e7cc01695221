import type {
  PermissionOption,
  PermissionOptionKind,
  RequestPermissionOutcome,
  RequestPermissionRequest,
} from '@agentclientprotocol/sdk';

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

export type ToolKind = (typeof TOOL_KINDS)[number];

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
