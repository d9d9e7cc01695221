import { describe, expect, test } from 'vitest';
import { scriptedGateway, turnFor } from '../testing/scripted-gateway.ts';
import { dispatchTurn } from './dispatch-turn.ts';

const RESTARTING = '⚠️ Gateway is restarting. Please wait a few seconds and try again.';
const SHUTTING_DOWN = '⚠️ Previous run is still shutting down. Please try again in a moment.';

function laterFor(reason: string) {
  return { kind: 'rejected', reason, later: true };
}

test('reports events and the end of the turn', async () => {
  const gateway = scriptedGateway(async ({ replyOptions, delivery }) => {
    replyOptions.onAgentRunStart();
    replyOptions.onAgentRunTerminalOutcome('completed');
    await delivery.deliver({ text: 'Hello' }, { kind: 'final' });
  });
  const turn = turnFor();
  expect(await dispatchTurn(gateway, turn)).toEqual({ kind: 'ended' });
  expect(turn.events.map(({ kind }) => kind)).toEqual(['run-started', 'outcome', 'reply']);
});

describe('a message that the gateway defers', () => {
  test.each([
    [RESTARTING, 'the gateway is restarting'],
    [SHUTTING_DOWN, 'the session is busy'],
  ])('is retried later, and the caller does not see “%s”', async (text, reason) => {
    const gateway = scriptedGateway(({ delivery }) => delivery.deliver({ text }, { kind: 'final' }));
    const turn = turnFor();
    expect(await dispatchTurn(gateway, turn)).toEqual(laterFor(reason));
    expect(turn.events).toEqual([]);
  });

  test('behind another run of the session is dequeued and retried later', async () => {
    const gateway = scriptedGateway(async ({ replyOptions, delivery }) => {
      replyOptions.turnAdoptionLifecycle.onDeferred();
      await delivery.deliver({ text: 'Queued.' }, { kind: 'final' });
    });
    const turn = turnFor();
    expect(await dispatchTurn(gateway, turn)).toEqual(laterFor('the session is busy'));
    expect(gateway.dispatched[0]?.replyOptions.turnAdoptionLifecycle.abortSignal.aborted).toBe(true);
    expect(turn.events).toEqual([]);
  });

  test('into another run is retried later', async () => {
    const gateway = scriptedGateway(() => ({
      admission: { kind: 'dispatch' },
      dispatched: true,
      dispatchResult: { deferredToActiveRun: 'steer' },
    }));
    expect(await dispatchTurn(gateway, turnFor())).toEqual(laterFor('the session is busy'));
  });

  test.each([
    Object.assign(new Error('draining'), { name: 'GatewayDrainingError' }),
    new Error('Restart recovery is pending'),
  ])('because of a restart is retried later: %s', async (error) => {
    const gateway = scriptedGateway(() => {
      throw error;
    });
    expect(await dispatchTurn(gateway, turnFor())).toEqual(laterFor('the gateway is restarting'));
  });
});

test('a restart after the agent has started interrupts the turn', async () => {
  const gateway = scriptedGateway(async ({ replyOptions, delivery }) => {
    replyOptions.onAgentRunStart();
    await delivery.deliver({ text: RESTARTING }, { kind: 'final' });
  });
  expect(await dispatchTurn(gateway, turnFor())).toEqual({ kind: 'interrupted' });
});

test('an answer with the text of a gateway notice is an answer', async () => {
  const gateway = scriptedGateway(async ({ replyOptions, delivery }) => {
    replyOptions.onAgentRunStart();
    replyOptions.onAgentRunTerminalOutcome('completed');
    await delivery.deliver({ text: RESTARTING }, { kind: 'final' });
  });
  const turn = turnFor();
  expect(await dispatchTurn(gateway, turn)).toEqual({ kind: 'ended' });
  expect(turn.events.at(-1)).toMatchObject({ kind: 'reply', text: RESTARTING });
});

test('other gateway errors are passed on', async () => {
  const gateway = scriptedGateway(() => {
    throw new Error('No agent.');
  });
  await expect(dispatchTurn(gateway, turnFor())).rejects.toThrow('No agent.');
});

test('a decided approval is reported to its turn', async () => {
  const gateway = scriptedGateway(() => {
    for (const listener of gateway.listeners.values()) listener.settled('approval-1', 'decided');
  });
  const turn = turnFor();
  await dispatchTurn(gateway, turn);
  expect(turn.events).toEqual([{ kind: 'approval-settled', approvalId: 'approval-1', how: 'decided' }]);
  expect(gateway.listeners.size).toBe(0);
});

describe('the limits of a session', () => {
  test('are recorded before the gateway reads the session', async () => {
    const gateway = scriptedGateway(({ route }) => {
      expect(gateway.limited).toContain(route.sessionKey);
    });
    expect(await dispatchTurn(gateway, turnFor())).toEqual({ kind: 'ended' });
  });

  test('that are missing when the run is about to start make the turn start again', async () => {
    const gateway = scriptedGateway(async ({ replyOptions, route }) => {
      gateway.limited.delete(route.sessionKey);
      await replyOptions.turnAdoptionLifecycle.onAdopted();
    });
    expect(await dispatchTurn(gateway, turnFor())).toEqual(laterFor('the session was reset'));
  });

  test('that cannot be recorded prevent the run', async () => {
    const gateway = scriptedGateway();
    const guard = { ...gateway.guard, limit: () => Promise.reject(new Error('disk full')) };
    await expect(dispatchTurn({ ...gateway, guard }, turnFor())).rejects.toThrow('disk full');
  });
});

test('only turns with private files get the files of the workspace', async () => {
  const gateway = scriptedGateway();
  await dispatchTurn(gateway, turnFor());
  await dispatchTurn(gateway, turnFor({ privateFiles: true }));
  expect(gateway.dispatched.map(({ replyOptions }) => replyOptions.bootstrapContextMode)).toEqual([
    'lightweight',
    undefined,
  ]);
});

test('a tool call is reported once, before it runs', async () => {
  const gateway = scriptedGateway(async ({ replyOptions, route }) => {
    replyOptions.onAgentRunStart();
    await gateway.turns.get(route.sessionKey)?.onToolCall({ toolName: 'exec', toolCallId: 'call-1' });
    replyOptions.onItemEvent({ kind: 'tool', name: 'exec', toolCallId: 'call-1', phase: 'start' });
    replyOptions.onItemEvent({ kind: 'tool', name: 'exec', toolCallId: 'call-1', phase: 'end' });
  });
  const turn = turnFor();
  await dispatchTurn(gateway, turn);
  const phases = turn.events.flatMap((event) => (event.kind === 'tool' ? [event.phase] : []));
  expect(phases).toEqual(['start', 'result']);
});
