import type { AgentDescription } from '../../../agent-description.ts';

/** The card of a coding agent. It accepts any file, because files are saved to disk for it. */
export function codingAgentCard(name: string): AgentDescription {
  return {
    name,
    description: `A coding agent: ${name} over A2A.`,
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

/** An option as a single argument, so that no value is mistaken for an option; empty without a value. */
export function optionArgument(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}
