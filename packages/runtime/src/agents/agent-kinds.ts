import type { AgentKind } from './agent-kind.ts';
import { acp } from './kinds/acp.ts';
import { claudeCode } from './kinds/claude-code.ts';
import { codex } from './kinds/codex.ts';
import { exec } from './kinds/exec.ts';
import { gemini } from './kinds/gemini.ts';
import { openai } from './kinds/openai.ts';
import { openclawCli } from './kinds/openclaw-cli.ts';
import { openclawGateway } from './kinds/openclaw-gateway.ts';
import { openclaw } from './kinds/openclaw.ts';

/** All agents that Holdword can serve by name. */
export const AGENT_KINDS: readonly AgentKind[] = [
  openclaw,
  openclawCli,
  openclawGateway,
  claudeCode,
  codex,
  gemini,
  openai,
  acp,
  exec,
];
