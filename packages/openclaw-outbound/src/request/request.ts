import type { Transport } from '../config/config.ts';

export const ACTIONS = ['list_targets', 'send', 'watch', 'status', 'cancel'] as const;
export type Action = (typeof ACTIONS)[number];

/** A tool request that matches the schema. */
export interface RemoteAgentRequest {
  action: Action;
  target_alias?: string;
  target_aliases?: string[];
  target_url?: string;
  parts?: RequestPart[];
  message_id?: string;
  task_handle?: string;
  task_id?: string;
  context_id?: string;
  continuation?: RequestContinuation;
  reference_task_ids?: string[];
  task_requirement?: 'optional' | 'required';
  follow_updates?: boolean;
  collect?: 'all' | 'first';
  wait_for?: WaitFor;
  accepted_output_modes?: string[];
  blocking?: boolean;
  history_length?: number;
  push_notification_config?: PushNotificationConfig;
  timeout_ms?: number;
  service_parameters?: Record<string, string>;
  metadata?: Record<string, unknown>;
}

export type RequestPart = (
  | { kind: 'text'; text: string }
  | { kind: 'file'; uri?: string; bytes?: string; name?: string; mime_type?: string }
  | { kind: 'data'; data: Record<string, unknown> }
) & { metadata?: Record<string, unknown> };

export interface RequestContinuation {
  target: ContinuationTarget;
  task?: ContinuationTask;
  conversation?: ContinuationConversation;
}

export interface ContinuationTarget {
  target_url: string;
  card_path: string;
  preferred_transports: Transport[];
  target_alias?: string;
  /** Signature over the three address fields, made by this plugin; only for targets that are not configured. */
  signature?: string;
}

export interface ContinuationTask {
  task_handle?: string;
  task_id: string;
  status?: string;
  can_resume_send?: boolean;
  can_send?: boolean;
  can_status?: boolean;
  can_cancel?: boolean;
  can_watch?: boolean;
}

export interface ContinuationConversation {
  context_id: string;
  can_send: true;
}

export interface WaitFor {
  task_handles: string[];
  /** Wait for all tasks or for one of them. @default 'all' */
  mode?: 'all' | 'any';
}

export interface PushNotificationConfig {
  url: string;
  id?: string;
  token?: string;
  authentication?: { schemes: string[]; credentials?: string };
}
