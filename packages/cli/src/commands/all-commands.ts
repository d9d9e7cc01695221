import type { Command } from '../arguments/command.ts';
import { backup } from './backup.ts';
import { dbCheck } from './db-check.ts';
import { dbMigrate } from './db-migrate.ts';
import { dbStatus } from './db-status.ts';
import { hub } from './hub.ts';
import { keysAdd } from './keys-add.ts';
import { keysList } from './keys-list.ts';
import { keysRevoke } from './keys-revoke.ts';
import { keysRotate } from './keys-rotate.ts';
import { mcpCheck } from './mcp-check.ts';
import { mcp } from './mcp.ts';
import { pushReplay } from './push-replay.ts';
import { pushStatus } from './push-status.ts';
import { serve } from './serve.ts';

export const ALL_COMMANDS: readonly Command[] = [
  serve,
  hub,
  mcp,
  mcpCheck,
  keysAdd,
  keysList,
  keysRotate,
  keysRevoke,
  pushStatus,
  pushReplay,
  dbMigrate,
  dbStatus,
  dbCheck,
  backup,
];
