import type { AgentDescription } from '@holdword/runtime';
import type { AccountConfig } from '../config/account-config.ts';

type Described = Pick<
  AccountConfig,
  'label' | 'description' | 'defaultInputModes' | 'defaultOutputModes' | 'skills'
>;

/** The agent on the account's card. */
export function describeAgent(config: Described): AgentDescription {
  return {
    name: config.label ?? 'OpenClaw',
    description: config.description ?? 'An OpenClaw agent.',
    defaultInputModes: [...config.defaultInputModes],
    defaultOutputModes: [...config.defaultOutputModes],
    skills: [...config.skills],
  };
}
