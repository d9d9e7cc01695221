import { describe, expect, test } from 'vitest';
import { approvalCapability, type GatewayApproval } from './approval-capability.ts';
import { ApprovalDesk, type HostApproval } from './approval-desk.ts';

const SESSION = 'agent:main:a2a:default:direct:peer:context';

/** As OpenClaw 2026.9.6 asks before it runs a command. */
const REQUEST: GatewayApproval = {
  id: 'approval-1',
  request: {
    command: 'echo hello',
    allowedDecisions: ['allow-once', 'deny'],
    sessionKey: SESSION,
    toolCallId: 'call-1',
    turnSourceChannel: 'a2a',
    turnSourceTo: 'a2a:peer',
    turnSourceAccountId: 'default',
  },
  expiresAtMs: Date.UTC(2026, 10, 16, 12),
};

function params(request: GatewayApproval = REQUEST) {
  return { accountId: 'default', approvalKind: 'exec', request } as const;
}

describe('what a tool asks', () => {
  const desk = new ApprovalDesk();
  const { nativeRuntime } = approvalCapability(desk);
  const seen: (HostApproval | string)[] = [];
  const listener = {
    asked: (approval: HostApproval) => seen.push(approval),
    settled: (approvalId: string) => seen.push(`settled ${approvalId}`),
  };

  test('goes to the turn of its session, and so does its end', () => {
    const leave = desk.listen(SESSION, listener);
    expect(nativeRuntime.availability.shouldHandle(params())).toBe(true);
    nativeRuntime.transport.deliverPending(params());
    nativeRuntime.presentation.buildResolvedResult({ request: REQUEST });
    expect(seen).toEqual([
      {
        approvalId: 'approval-1',
        approvalKind: 'exec',
        sessionKey: SESSION,
        decisions: ['allow-once', 'deny'],
        expiresAt: '2026-11-16T12:00:00.000Z',
        callId: 'call-1',
        command: 'echo hello',
      },
      'settled approval-1',
    ]);
    leave();
    expect(nativeRuntime.availability.shouldHandle(params())).toBe(false);
  });

  test.each([
    ['of another channel', { turnSourceChannel: 'slack' }],
    ['of another account', { turnSourceAccountId: 'other' }],
    ['of another session', { sessionKey: 'agent:main:main' }],
    ['of no session', { sessionKey: null }],
  ])('is left to others when it is one %s', (_whose, change) => {
    const leave = desk.listen(SESSION, listener);
    const request = { ...REQUEST, request: { ...REQUEST.request, ...change } };
    expect(nativeRuntime.availability.shouldHandle(params(request))).toBe(false);
    leave();
  });

  test('whoever stops listening does not silence the next turn', () => {
    const leaveFirst = desk.listen(SESSION, listener);
    const leaveSecond = desk.listen(SESSION, { ...listener });
    leaveFirst();
    expect(desk.isAwaited(SESSION)).toBe(true);
    leaveSecond();
    expect(desk.isAwaited(SESSION)).toBe(false);
  });
});
