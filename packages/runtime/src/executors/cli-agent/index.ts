export type { EnvironmentChoice } from '../child-process/child-environment.ts';
export type { CliAgentOptions, WorkingDirectory } from './cli-agent-options.ts';
export { CliAgent } from './cli-agent.ts';
export type {
  CliCommand,
  CliEnd,
  CliFile,
  CliOutcome,
  CliOutput,
  CliProfile,
  CliReader,
  CliTurn,
  DefiniteOutcome,
} from './profile.ts';
export { claudeCodeProfile, type ClaudeCodeOptions } from './profiles/claude-code/claude-code-profile.ts';
export { codexProfile, type CodexOptions } from './profiles/codex/codex-profile.ts';
export { execProfile, type ExecOptions } from './profiles/exec/exec-profile.ts';
export { geminiProfile, type GeminiOptions } from './profiles/gemini/gemini-profile.ts';
