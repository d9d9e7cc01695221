// The plugin as OpenClaw loads it.
import { PLUGIN_ID, register } from './register.ts';

export default {
  id: PLUGIN_ID,
  name: 'A2A outbound',
  description: 'Adds one tool, remote_agent, that delegates work to other agents over A2A.',
  register,
};
