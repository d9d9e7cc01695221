import type { AgentSkill } from '@holdword/protocol';

/** What an agent says of itself. The server adds where it is reached and how callers authenticate. */
export interface AgentDescription {
  name: string;
  description: string;
  version?: string;
  documentationUrl?: string;
  iconUrl?: string;
  provider?: { organization: string; url: string };
  /** Media types the agent takes and gives; text/plain by default. */
  defaultInputModes?: string[];
  defaultOutputModes?: string[];
  skills?: AgentSkill[];
}
