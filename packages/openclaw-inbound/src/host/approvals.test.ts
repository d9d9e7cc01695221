import { describe, expect, test } from 'vitest';
import { approvalCapability, ApprovalRouter, type GatewayApproval, type HostApproval } from './approvals.ts';

const SESSION = 'agent:main:a2a:default:direct:peer:context';

/** An approval request as OpenClaw 2026.9.6 sends it. */
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

describe('an approval request of a tool', () => {
  const router = new ApprovalRouter();
  const { nativeRuntime } = approvalCapability(router);
  const seen: (HostApproval | string)[] = [];
  const listener = {
    requested: (approval: HostApproval) => seen.push(approval),
    settled: (approvalId: string, how: string) => seen.push(`${how} ${approvalId}`),
  };

  test('is routed to the turn of its session, including its end', () => {
    const stopListening = router.listen(SESSION, listener);
    expect(nativeRuntime.availability.shouldHandle(params())).toBe(true);
    nativeRuntime.transport.deliverPending(params());
    nativeRuntime.presentation.buildResolvedResult({ request: REQUEST });
    nativeRuntime.presentation.buildExpiredResult({ request: REQUEST });
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
      'decided approval-1',
      'expired approval-1',
    ]);
    stopListening();
    expect(nativeRuntime.availability.shouldHandle(params())).toBe(false);
  });

  test.each([
    ['of another channel', { turnSourceChannel: 'slack' }],
    ['of another account', { turnSourceAccountId: 'other' }],
    ['of another session', { sessionKey: 'agent:main:main' }],
    ['of no session', { sessionKey: null }],
  ])('is not handled if it is %s', (_whose, change) => {
    const stopListening = router.listen(SESSION, listener);
    const request = { ...REQUEST, request: { ...REQUEST.request, ...change } };
    expect(nativeRuntime.availability.shouldHandle(params(request))).toBe(false);
    stopListening();
  });

  test('still reaches the next turn after the previous one stopped listening', () => {
    const stopFirst = router.listen(SESSION, listener);
    const stopSecond = router.listen(SESSION, { ...listener });
    stopFirst();
    expect(router.isAwaited(SESSION)).toBe(true);
    stopSecond();
    expect(router.isAwaited(SESSION)).toBe(false);
  });
});
