import { expect } from 'vitest';
import type { StoreKind } from '../../support/open-store.ts';
import { allEvents, artifactTexts, asSeenBy, outline, say, sendForTask, unique } from '../conversation.ts';
import { scenarios } from '../scenarios.ts';

const STORES: readonly StoreKind[] = ['memory', 'json-file'];

for (const store of STORES) {
  scenarios(`On the ${store} store`, { store }, ({ scenario }) => {
    scenario(
      {
        it: 'a conversation works as on the default one',
        covers: ['SEND-FOLLOW-UP', 'STREAM-EVENTS', 'GET-TASK'],
      },
      async ({ driver }) => {
        const asked = await sendForTask(driver, say('artifact a x; ask which one?'));
        const events = await allEvents(driver.stream(say('append a y; complete red', { taskId: asked.id })));
        expect(outline(events).slice(-2)).toEqual(asSeenBy(driver, ['artifact+ a y', 'completed red']));
        const task = await driver.get({ id: asked.id });
        expect(artifactTexts(task)).toEqual({ a: 'xy' });
        expect(task.history).toHaveLength(4);
      },
    );

    scenario(
      {
        it: 'tasks are listed',
        covers: ['LIST-ORDER', 'LIST-FILTER-CONTEXT'],
        on: { versions: ['1.0'], clients: ['raw'] },
      },
      async ({ driver }) => {
        const contextId = unique('context');
        const older = await sendForTask(driver, say('complete', { contextId }));
        const newer = await sendForTask(driver, say('complete', { contextId }));
        const { tasks } = await driver.list({ contextId });
        expect(tasks.map(({ id }) => id)).toEqual([newer.id, older.id]);
      },
    );
  });
}
