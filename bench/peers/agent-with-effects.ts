import type { Executor } from '@holdword/runtime';
import { demoAgent } from '@holdword/runtime/internal';

/** The demo agent as one whose turns do things outside: a task is on disk before its turn begins, and again at its end. */
const agentWithEffects: Executor = { ...demoAgent, withoutEffects: false };

export default agentWithEffects;
