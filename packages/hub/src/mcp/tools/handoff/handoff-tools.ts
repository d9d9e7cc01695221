import type { HubTool } from '../../hub-tool.ts';
import { handoffAck } from './handoff-ack.ts';
import { handoffClaim } from './handoff-claim.ts';
import { handoffContinue } from './handoff-continue.ts';
import { handoffGet } from './handoff-get.ts';
import { handoffList } from './handoff-list.ts';
import { handoffOffer } from './handoff-offer.ts';
import { handoffPacket } from './handoff-packet.ts';
import { handoffRelease } from './handoff-release.ts';

export const HANDOFF_TOOLS: readonly HubTool[] = [
  handoffPacket,
  handoffOffer,
  handoffList,
  handoffGet,
  handoffClaim,
  handoffAck,
  handoffContinue,
  handoffRelease,
];
