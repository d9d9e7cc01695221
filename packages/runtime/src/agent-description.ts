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

export interface AgentSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
  inputModes?: string[];
  outputModes?: string[];
}
