import type { AgentCard } from '@holdword/protocol';

export const DETAIL_LEVELS = ['name', 'basic', 'skills', 'full'] as const;
/** How much of an agent card a summary contains. */
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/** Summarizes an agent for a model; never includes its URL, its headers or other parts of its card. */
export function describeAgent(card: AgentCard, detail: string): Record<string, unknown> {
  const { name, description, skills } = card;
  switch (detail) {
    case 'name':
      return { name };
    case 'basic':
      return { name, description };
    case 'skills':
      return { name, description, skills: skills.map((skill) => skill.name) };
    case 'full':
      return {
        name,
        description,
        skills: skills.map((skill) => ({ name: skill.name, description: skill.description })),
      };
    default:
      throw new TypeError(`Expected detail to be one of ${DETAIL_LEVELS.join(', ')}, found "${detail}".`);
  }
}
