import type { AgentDescription } from '../../agent-description.ts';

/** The default card, which the operator can override. */
export const OPENCLAW_CARD: AgentDescription = {
  name: 'OpenClaw',
  description: 'A personal assistant that works with the tools and files of its machine, run by OpenClaw.',
  defaultInputModes: ['text/plain', 'application/json', 'application/octet-stream'],
  defaultOutputModes: ['text/plain', 'application/octet-stream'],
  skills: [
    {
      id: 'assist',
      name: 'Assist',
      description:
        'Answers, researches, writes, and works with files. It remembers the conversation of a context.',
      tags: ['assistant', 'openclaw'],
      examples: ['Summarise what is in your workspace.'],
    },
  ],
};
