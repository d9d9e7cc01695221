import type { AgentSkill } from '@holdword/protocol';

/** What an agent says about itself. The server adds where it is reached and how callers authenticate. */
export interface AgentDescription {
  name: string;
  description: string;
  version?: string;
  documentationUrl?: string;
  iconUrl?: string;
  provider?: { organization: string; url: string };
  /**
   * The media types that the agent accepts and produces.
   * @default ['text/plain']
   */
  defaultInputModes?: string[];
  defaultOutputModes?: string[];
  skills?: AgentSkill[];
}
