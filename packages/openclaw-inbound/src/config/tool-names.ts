import { nearestName } from '@holdword/protocol/internal';

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

/** A name in a list of tools that is probably misspelt. */
interface MisspeltTool {
  readonly tool: string;
  readonly index: number;
  readonly meant: string;
}

/** Groups (`group:fs`) and patterns (`web_*`) are left to OpenClaw, which compares names in lower case. */
export function misspeltTools(tools: 'all' | readonly string[]): MisspeltTool[] {
  if (tools === 'all') return [];
  return tools.flatMap((tool, index) => {
    const name = tool.trim().toLowerCase();
    if (HOST_TOOLS.includes(name) || TOOL_ALIASES.includes(name) || /[:*]/.test(name)) return [];
    const meant = nearestName(name, HOST_TOOLS);
    return meant === undefined ? [] : [{ tool, index, meant }];
  });
}
