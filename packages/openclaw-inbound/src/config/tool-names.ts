import { asObject, nearestName } from '@holdword/protocol/internal';
import { PLUGIN_ID } from '../plugin-names.ts';

/**
 * The tools of OpenClaw itself. Plugins add others, which are not known when the configuration is read, so a name is only
 * suspicious if it is close to one of these.
 */
export const HOST_TOOLS: readonly string[] = (
  'ls read write edit apply_patch exec process code_execution secrets web_search web_fetch x_search memory_search memory_get ' +
  'sessions sessions_list sessions_history sessions_search conversations_list conversations_send conversations_turn ' +
  'sessions_send sessions_spawn github_identity_status github_publish agents_wait sessions_yield subagents session_status ' +
  'suggest_task dismiss_task browser screen theme dashboard terminal portal canvas show_widget message heartbeat_respond ' +
  'automations gateway plugins openclaw nodes computer mobile_ui agents_list get_goal create_goal update_goal progress_card ' +
  'ask_user skill_workshop view_image image_generate music_generate video_generate tts pdf'
).split(' ');

/** Other names under which OpenClaw accepts some of them. */
export const TOOL_ALIASES: readonly string[] = ['bash', 'apply-patch', 'cron'];

/** A tool of our other plugin. */
const REMOTE_AGENT = 'remote_agent';

const OWN_PLUGINS: readonly string[] = [PLUGIN_ID, 'openclaw-a2a-outbound'];

/** Whether other plugins or MCP servers in a gateway's configuration may add tools whose names are not known here. */
export function mayHaveOtherTools(config: unknown): boolean {
  const { plugins, mcp } = asObject(config);
  const { entries, load } = asObject(plugins);
  const others = Object.keys(asObject(entries)).filter((id) => !OWN_PLUGINS.includes(id));
  return (
    others.length > 0 || load !== undefined || Object.keys(asObject(asObject(mcp)['servers'])).length > 0
  );
}

/** A name in a list of tools that is wrong. */
interface UnknownTool {
  readonly tool: string;
  readonly index: number;
  /** The name that it is close to. */
  readonly meant?: string;
}

/**
 * Names that are close to one of OpenClaw's tools, and all others that are none of them if nothing adds tools to this gateway.
 * Groups (`group:fs`) and patterns (`web_*`) are left to OpenClaw, which compares names in lower case.
 */
export function unknownTools(
  tools: 'all' | readonly string[],
  { hasOtherTools }: { readonly hasOtherTools: boolean },
): UnknownTool[] {
  if (tools === 'all') return [];
  return tools.flatMap((tool, index) => {
    const name = tool.trim().toLowerCase();
    if (HOST_TOOLS.includes(name) || TOOL_ALIASES.includes(name) || /[:*]/.test(name)) return [];
    const meant = nearestName(name, HOST_TOOLS);
    if (meant !== undefined) return [{ tool, index, meant }];
    return hasOtherTools || name === REMOTE_AGENT ? [] : [{ tool, index }];
  });
}
