import type { JsonObject, Message, Part } from '@holdword/protocol';
import type { ApprovalChoice, HostApproval } from '../approvals/approval-router.ts';

const YES = /^(yes|y|ok|okay|allow|allowed|approve|approved|go ahead)[.!]?$/i;
const NO = /^(no|n|deny|denied|reject|rejected|refuse|stop)[.!]?$/i;
const ALLOW = 'allow-once';
const DENY = 'deny';

/** The approval question for a caller: as text for people and as data for programs. */
export function approvalQuestion(approval: HostApproval, hint?: string): Part[] {
  const { approvalId, decisions, expiresAt, tool, callId, title, reason, command } = approval;
  const what = command ?? title ?? tool ?? 'a tool';
  const text = [
    ...(hint === undefined ? [] : [hint]),
    `May the agent run this? ${what}`,
    ...(reason === undefined ? [] : [reason]),
    `Answer with one of: ${decisions.join(', ')}.`,
  ].join('\n');
  const known = { tool, callId, title, reason, command };
  const details: JsonObject = Object.fromEntries(
    Object.entries(known).filter(([, value]) => value !== undefined),
  );
  return [{ text }, { data: { approval: { approvalId, decisions: [...decisions], expiresAt, ...details } } }];
}

/**
 * The decision in an answer: `{"decision": "allow-once"}` as data, or the same as text. Undefined if the answer is unclear or
 * not one of the allowed decisions.
 */
export function decisionIn({ parts }: Message, { decisions }: HostApproval): ApprovalChoice | undefined {
  const named = parts.map(({ data }) => decisionOf(data)).find((each) => each !== undefined);
  const text = parts
    .map((part) => part.text ?? '')
    .join(' ')
    .trim();
  const meant = named ?? (YES.test(text) ? ALLOW : NO.test(text) ? DENY : text.toLowerCase());
  return decisions.find((decision) => decision === meant);
}

function decisionOf(data: unknown): string | undefined {
  if (typeof data !== 'object' || data === null || !('decision' in data)) return undefined;
  return typeof data.decision === 'string' ? data.decision : undefined;
}
