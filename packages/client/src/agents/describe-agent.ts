import type { AgentCard } from '@holdword/protocol';

export const DETAIL_LEVELS = ['name', 'basic', 'skills', 'full'] as const;
export type DetailLevel = (typeof DETAIL_LEVELS)[number];

/** What a model may know of an agent: never its address, its headers or anything else of its card. */
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
      throw new TypeError(`Expected the detail to be one of ${DETAIL_LEVELS.join(', ')}, found "${detail}".`);
  }
}
