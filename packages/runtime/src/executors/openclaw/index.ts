/**
 * For Holdword's own packages, not covered by semver: OpenClaw as an executor. Apart from `internal.ts` because it loads
 * file-type and mime.
 */
export { isOmitted, mediaPart } from './media-parts.ts';
export { openOpenClawCli } from './openclaw-cli.ts';
export { openClawVariables } from './openclaw-environment.ts';
export { OpenClawGatewayAgent } from './gateway-agent.ts';
export { OpenClawAgent } from './openclaw-agent.ts';
export type { OpenClawOptions } from './openclaw-options.ts';
