/**
 * The API of the console, for its page. `routes.ts` and `timeline-fold.ts` have no dependencies and are what a page loads; from
 * the other files it takes types alone.
 */
export { API_PATH, pathOf, ROUTES, type Route, type RouteName } from './routes.ts';
export type { BodyOf, QueryOf, ResponseOf } from './endpoints.ts';
export type { ApiError, Session, SignIn } from './session.ts';
export type { CanceledTasks, TaskChange, TaskFilter, TaskPage, TaskRow } from './tasks.ts';
export type {
  ArtifactDetail,
  Conversation,
  EventPage,
  JournalEvent,
  PushTarget,
  Question,
  SendMessage,
  SentMessage,
  TaskDetail,
} from './task.ts';
export { TimelineFold } from './timeline-fold.ts';
export type { Timeline, TimelineItem } from './timeline.ts';
export type { AgentDetail, AgentSummary, Exchange, TriedAgent } from './agents.ts';
export type {
  AlarmPage,
  HandoffDetail,
  HandoffPage,
  HubAgentDetail,
  HubAgentPage,
  HubSessionPage,
} from './hub.ts';
export type { Audit, KeyList, PushTargetPage, Replicas, Series } from './operations.ts';
