import type { Mode } from '../../messages/message-request.ts';
import { agent } from './agent.ts';
import { gentle } from './gentle.ts';
import { heartbeat } from './heartbeat.ts';
import { neutral } from './neutral.ts';
import { operations } from './operations.ts';
import type { Tone } from './tone.ts';

const TONES: Readonly<Record<Mode, Tone>> = {
  auto: gentle,
  neutral,
  strict_neutral: neutral,
  ops: operations,
  strict_ops: operations,
  heartbeat,
  agent,
  compact: agent,
};

/** The tone of a mode; the default tone for an unknown mode. */
export function toneOfMode(mode: string | undefined): Tone {
  return Object.entries(TONES).find(([name]) => name === mode)?.[1] ?? gentle;
}
