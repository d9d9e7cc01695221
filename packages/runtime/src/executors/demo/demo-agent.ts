import { textOfParts } from '@holdword/protocol';
import type { Executor, Turn } from '../executor.ts';
import { DEMO_SKILLS, type DemoSkill } from './demo-skills.ts';

/** The built-in agent: shows every feature of A2A in response to plain words, without a model. It echoes everything else. */
export const demoAgent: Executor = {
  card: {
    name: 'Holdword demo agent',
    description: 'Echoes what it is sent, and shows every feature of A2A in response to plain words.',
    version: '1.0.0',
    defaultInputModes: ['text/plain', 'application/json'],
    defaultOutputModes: ['text/plain', 'application/json', 'text/csv'],
    skills: DEMO_SKILLS.map(({ id, name, description, examples }) => ({
      id,
      name,
      description,
      examples,
      tags: ['demo'],
    })),
  },
  withoutEffects: true,
  answersDirectly: (turn) => skillFor(turn).answersDirectly === true,
  execute: (turn, sink) => skillFor(turn).run(turn, sink),
};

export default demoAgent;

/** The first message of a task selects the skill; further ones answer its questions. */
function skillFor(turn: Turn): DemoSkill {
  const { parts } = turn.task.history?.[0] ?? turn.message;
  const words = textOfParts(parts).trim();
  return DEMO_SKILLS.find((skill) => skill.pattern.test(words)) ?? (DEMO_SKILLS[0] as DemoSkill);
}
