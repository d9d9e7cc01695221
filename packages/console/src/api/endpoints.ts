import { z } from 'zod';
import * as agents from './agents.ts';
import * as hub from './hub.ts';
import * as operations from './operations.ts';
import type { RouteName } from './routes.ts';
import * as session from './session.ts';
import * as task from './task.ts';
import * as tasks from './tasks.ts';
import * as timeline from './timeline.ts';

/** What a request contains and what it answers. */
export interface Endpoint {
  /** One sentence for the reference. */
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Of a stream: the data of each event. Absent for files. */
  readonly response?: z.ZodType;
}

/** The schemas of every request in `routes.ts`, by its name. The server, the OpenAPI document and the types of the page use them. */
export const ENDPOINTS = {
  getSession: { summary: 'Who is signed in, and what this server offers.', response: session.sessionSchema },
  signIn: {
    summary: 'Exchanges a one-time link or a credential for a cookie.',
    body: session.signInSchema,
    response: session.sessionSchema,
  },
  signOut: { summary: 'Ends the session.', response: session.sessionSchema },

  listTasks: {
    summary: 'The tasks that the session may see, the newest first.',
    query: tasks.listTasksSchema,
    response: tasks.taskPageSchema,
  },
  watchTasks: {
    summary: 'Changes of the tasks that match the filter, as they are committed.',
    query: tasks.taskFilterSchema,
    response: tasks.taskChangeSchema,
  },
  cancelTasks: {
    summary: 'Cancels several tasks.',
    body: tasks.cancelTasksSchema,
    response: tasks.canceledTasksSchema,
  },

  getTask: { summary: 'A task without its events.', response: task.taskDetailSchema },
  listEvents: {
    summary: 'Events of the journal of a task.',
    query: task.listEventsSchema,
    response: task.eventPageSchema,
  },
  watchTask: {
    summary: 'The events of a task after a sequence number, then new ones as they are committed.',
    query: task.watchTaskSchema,
    response: task.journalEventSchema,
  },
  getTimeline: {
    summary: 'The journal of a task in short: the chunks of an artifact are one item.',
    query: timeline.getTimelineSchema,
    response: timeline.timelineSchema,
  },
  getConversation: {
    summary: 'What user and agent said.',
    query: task.getConversationSchema,
    response: task.conversationSchema,
  },
  getArtifact: {
    summary: 'An artifact in one of its versions.',
    query: task.getArtifactSchema,
    response: task.artifactSchema,
  },
  getArtifactContent: {
    summary: 'The content of one part of an artifact, as a file.',
    query: task.getArtifactContentSchema,
  },
  cancelTask: { summary: 'Cancels a task.', response: task.taskDetailSchema },
  forkTask: {
    summary: 'Begins a new task from the first events of another.',
    body: task.forkTaskSchema,
    response: task.forkedTaskSchema,
  },
  exportTask: { summary: 'A task with its journal, as a file.' },

  sendMessage: {
    summary: 'Sends a message to the agent: a new task, an answer, or an edited message again.',
    body: task.sendMessageSchema,
    response: task.sentMessageSchema,
  },

  listAgents: { summary: 'The agent of this server and remote agents.', response: agents.agentListSchema },
  getAgent: {
    summary: 'An agent with its card and what is wrong with it.',
    response: agents.agentDetailSchema,
  },
  addAgent: {
    summary: 'Adds a remote agent: the server fetches its card.',
    body: agents.addAgentSchema,
    response: agents.agentDetailSchema,
  },
  removeAgent: { summary: 'Removes a remote agent.', response: session.doneSchema },
  refreshAgent: { summary: 'Fetches the card of a remote agent again.', response: agents.agentDetailSchema },
  tryAgent: {
    summary: 'Sends a message to an agent over A2A and shows the requests and responses.',
    body: agents.tryAgentSchema,
    response: agents.triedAgentSchema,
  },
  setAgentCredential: {
    summary: 'Keeps a credential for an agent in memory until the session ends, and tries it.',
    body: agents.setCredentialSchema,
    response: agents.credentialCheckSchema,
  },
  removeAgentCredential: { summary: 'Forgets the credential for an agent.', response: session.doneSchema },

  listHubAgents: {
    summary: 'The agents of the hub.',
    query: hub.listHubAgentsSchema,
    response: hub.hubAgentPageSchema,
  },
  getHubAgent: { summary: 'An agent of the hub with its heartbeats.', response: hub.hubAgentDetailSchema },
  listHubSessions: {
    summary: 'The sessions of agents, the newest first.',
    query: hub.listHubSessionsSchema,
    response: hub.hubSessionPageSchema,
  },
  listHandoffs: {
    summary: 'Hand-offs; with the status open, those that are offered or held.',
    query: hub.listHandoffsSchema,
    response: hub.handoffPageSchema,
  },
  getHandoff: { summary: 'A hand-off with its packet.', response: hub.handoffDetailSchema },
  listAlarms: {
    summary: 'Alarms about missing agents, the newest first.',
    query: hub.listAlarmsSchema,
    response: hub.alarmPageSchema,
  },

  getSeries: {
    summary: 'Throughput, latency, queue, push and store over time.',
    query: operations.getSeriesSchema,
    response: operations.seriesSchema,
  },
  listReplicas: { summary: 'The processes that share the store.', response: operations.replicasSchema },
  listPushTargets: {
    summary: 'Where push notifications go, and how far they are.',
    query: operations.listPushTargetsSchema,
    response: operations.pushTargetPageSchema,
  },
  replayPush: {
    summary: 'Retries push notifications that were abandoned.',
    body: operations.replayPushSchema,
    response: operations.replayedPushSchema,
  },
  listKeys: { summary: 'The API keys, without their secrets.', response: operations.keyListSchema },
  revokeKey: { summary: 'Revokes an API key.', response: session.doneSchema },
  getAudit: {
    summary: 'The newest lines of the audit log.',
    query: operations.getAuditSchema,
    response: operations.auditSchema,
  },

  getOpenApi: {
    summary: 'The OpenAPI document of this API.',
    response: z.record(z.string(), z.unknown()),
  },
} as const satisfies Record<RouteName, Endpoint>;

type SchemaOf<Name extends RouteName, Field extends keyof Endpoint> =
  (typeof ENDPOINTS)[Name] extends Record<Field, infer Schema extends z.ZodType> ? Schema : never;

/** What a client passes as the query of a request. */
export type QueryOf<Name extends RouteName> = z.input<SchemaOf<Name, 'query'>>;
/** What a client sends. */
export type BodyOf<Name extends RouteName> = z.input<SchemaOf<Name, 'body'>>;
/** What a client receives; of a stream, in each event. */
export type ResponseOf<Name extends RouteName> = z.output<SchemaOf<Name, 'response'>>;
