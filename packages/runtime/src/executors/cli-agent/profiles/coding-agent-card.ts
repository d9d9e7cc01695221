import type { AgentDescription } from '../../../agent-description.ts';

/** The card of a program that works on code: it takes any file, for it finds them on disk. */
export function codingAgentCard(name: string): AgentDescription {
  return {
    name,
    description: `An agent that works on code and files: ${name} behind A2A.`,
    defaultInputModes: ['text/plain', 'application/json', '*/*'],
    skills: [
      {
        id: 'code',
        name: 'Work on code',
        description: 'Reads, explains, writes and changes code in its working directory.',
        tags: ['code'],
      },
    ],
  };
}
