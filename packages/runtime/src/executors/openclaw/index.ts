/**
 * For Holdword's own packages, not covered by semver: OpenClaw as an executor. Apart from `internal.ts` because it loads
 * file-type and mime.
 */
export { isOmitted, mediaPart, type OmittedFile } from './answer/media-parts.ts';
export { openOpenClawCli } from './cli/open-openclaw-cli.ts';
export { openClawCliProfile } from './cli/openclaw-cli-profile.ts';
export { OpenClawGatewayAgent } from './gateway/gateway-agent.ts';
export { OpenClawAgent } from './openclaw-agent.ts';
export { OPENCLAW_CARD } from './openclaw-card.ts';
export type { OpenClawDependencies } from './openclaw-dependencies.ts';
export { openClawSettings, type OpenClawOptions, type OpenClawSettings } from './openclaw-options.ts';
export { sessionIdOf } from './session-id.ts';
export { THINKING_LEVELS, type ThinkingLevel } from './thinking-levels.ts';
