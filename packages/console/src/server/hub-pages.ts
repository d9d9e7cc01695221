import { buildHandoffPacket, HubDirectory, type HubRecords, openHubRecords } from '@holdword/hub/internal';
import type { HubSettings } from '@holdword/hub';
import { DEFAULT_HUB_SETTINGS } from '@holdword/hub/internal/settings';
import { A2AError } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { ApiHandlers } from './api-request.ts';
import type { Viewer } from './sessions.ts';

type HubRoute =
  'listHubAgents' | 'getHubAgent' | 'listHubSessions' | 'listHandoffs' | 'getHandoff' | 'listAlarms';

/** What the console reads of a hub. */
export interface HubPages {
  readonly handlers: Pick<ApiHandlers, HubRoute>;
  /** The current hand-off of a task. */
  handoffOf(taskId: string): Promise<string | undefined>;
}

/** Reads the records of the hub in a store. Leaves to the directory what a viewer may see. */
export function createHubPages(store: Store, settings: Partial<HubSettings>): HubPages {
  const records = openHubRecords(store, { ...DEFAULT_HUB_SETTINGS, ...settings });
  const directory = new HubDirectory(records);
  return {
    handoffOf: async (taskId) => (await records.handoffs.ofTask(taskId))?.handoffId,
    handlers: {
      async listHubAgents({ viewer, query: { controller, ...query } }) {
        const page = await directory.agents(asHubViewer(viewer), { ...query, controllerId: controller });
        return { agents: [...page.items], nextCursor: page.nextCursor };
      },
      async getHubAgent({ viewer, parameters }) {
        const agentId = parameters['agentId'] ?? '';
        const agent = await directory.agent(asHubViewer(viewer), agentId);
        const series = await directory.heartbeats(asHubViewer(viewer), agentId);
        if (agent === undefined || series === undefined) throw notFound('agent');
        return { agent, series };
      },
      async listHubSessions({ viewer, query: { agent, ...query } }) {
        const page = await directory.sessions(asHubViewer(viewer), { ...query, agentId: agent });
        return { sessions: [...page.items], nextCursor: page.nextCursor };
      },
      async listHandoffs({ viewer, query: { agent, ...query } }) {
        const page = await directory.handoffs(asHubViewer(viewer), { ...query, agentId: agent });
        return { handoffs: [...page.items], nextCursor: page.nextCursor };
      },
      async getHandoff({ viewer, parameters }) {
        const handoffId = parameters['handoffId'] ?? '';
        const handoff = await directory.handoff(asHubViewer(viewer), handoffId);
        const packet = handoff && (await packetOf(records, handoffId));
        if (handoff === undefined || packet === undefined) throw notFound('hand-off');
        return { handoff, packet };
      },
      async listAlarms({ viewer, query: { agent, ...query } }) {
        const page = await directory.alarms(asHubViewer(viewer), { ...query, agentId: agent });
        return { alarms: [...page.items], nextCursor: page.nextCursor };
      },
    },
  };
}

/** What a server without a hub answers. */
export function noHubPages(): HubPages {
  return {
    handoffOf: () => Promise.resolve(undefined),
    handlers: {
      listHubAgents: refuse,
      getHubAgent: refuse,
      listHubSessions: refuse,
      listHandoffs: refuse,
      getHandoff: refuse,
      listAlarms: refuse,
    },
  };
}

function refuse(): Promise<never> {
  return Promise.reject(
    new A2AError('UNSUPPORTED_OPERATION', 'This server has no hub. Start one with "holdword hub".'),
  );
}

async function packetOf(
  records: HubRecords,
  handoffId: string,
): Promise<Record<string, unknown> | undefined> {
  const handoff = await records.handoffs.find(handoffId);
  return handoff && buildHandoffPacket(records.store, handoff);
}

function asHubViewer({ isOperator, ownerKey }: Viewer) {
  return isOperator ? ({ isOperator } as const) : ({ isOperator, callerKey: ownerKey } as const);
}

function notFound(what: string): A2AError {
  return new A2AError(
    'TASK_NOT_FOUND',
    `There is no such ${what}. It may have been removed, or belong to someone else.`,
  );
}
