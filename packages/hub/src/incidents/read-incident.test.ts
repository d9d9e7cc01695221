import { expect, test } from 'vitest';
import { INCIDENT_KINDS } from './incident-kinds.ts';
import { readIncident } from './read-incident.ts';

test.each([
  ['We are stuck in a retry storm (429). Need a calm next step.', 'rate_limit'],
  ['The API key has expired', 'auth'],
  ['ECONNREFUSED when calling billing', 'dependency_down'],
  ['ENOSPC: no space left on device', 'disk_full'],
  ['maximum context length reached', 'context_limit'],
  ['malformed JSON from the feed', 'bad_data'],
  ['requests time out', 'slow'],
  ['the backlog keeps growing', 'backlog'],
  ['I keep getting the same result', 'loop'],
  ['I feel overwhelmed', 'overload'],
  ['three tests fail', 'tests'],
  ['Something is broken', 'errors'],
  ['Hello, how are you?', 'none'],
  // The context decides between kinds
  ['permission denied for schema reporting', 'database_permission'],
  ["SELECT command denied to user 'app' for table 'orders'", 'database_permission'],
  ["EACCES: permission denied, open '/srv/config.yml'", 'file_permission'],
  ['java.lang.OutOfMemoryError: Java heap space', 'memory'],
  ['System.OutOfMemoryException was thrown', 'memory'],
  ['MemoryError: Unable to allocate 3.2 GiB', 'memory'],
  ['npm install fails with ECONNRESET', 'connection_lost'],
  ['connect ETIMEDOUT 192.0.2.1:443', 'connection_lost'],
  ['pip install fails: Read timed out.', 'slow'],
  ['npm ci fails', 'install_failed'],
  ['La copia de db3 falló por falta de espacio en disco.', 'disk_full'],
  ['Le service renvoie 503 depuis ce matin', 'dependency_down'],
  ['Batch 4 ran twice by accident, table ledger has duplicates.', 'data_loss'],
  ['We hit "Too many connections" on MySQL', 'connection_pool'],
  ['Search is slow since noon', 'slow'],
  ['Pod CrashLoopBackOff, exit code 1', 'other_error'],
  // Absent, over, past, or only mentioned
  ['Nothing failed.', 'none'],
  ['I have not seen any 429 today.', 'none'],
  ['The API does not return 503 any longer.', 'none'],
  ['The memory leak from last sprint is gone since 3.2.', 'none'],
  ['The worker was OOMKilled. It is fine now, I gave it 2Gi.', 'none'],
  ['Tests were failing because of a fixture; fixed and merged.', 'none'],
  ['shard 13 sits on the node that ran out of disk last week', 'none'],
  ['Last month we had a deadlock, it is long fixed.', 'none'],
  ['Closed the ticket "Deadlock in billing" as fixed.', 'none'],
  ['Wrote the runbook for DNS outages and rate limits (429).', 'none'],
  ['Refactored the retry storm detector, PR #812 is merged.', 'none'],
  ['### Completed\n1. Moved DNS\n2. fixed the deadlock in billing', 'none'],
  ['Done: found the timeout. Remaining: document the timeout', 'none'],
  ['- [x] reproduce the timeout\n- [ ] find the cause of the timeout', 'none'],
  ['Our runbook says: on 503, restart the gateway.', 'none'],
  ['If the import times out I will restart it.', 'none'],
  ['You said: "Stop all retries, 429 counts against the limit."', 'none'],
  ['The script would have deleted the production bucket, so I stopped it.', 'none'],
  ['Should we worry about rate limits for the launch?', 'none'],
  ['Part 13 had a broken header, repaired. All parts are in.', 'none'],
  // Still there
  ['Le déploiement échoue avec « permission denied » sur /srv/app', 'file_permission'],
  ['The job fails with "No space left on device"', 'disk_full'],
  ['Added a retry for ECONNRESET but now uploads hang', 'slow'],
  ['It is not fixed yet, still 429', 'rate_limit'],
  ['The certificate expired last night, all calls fail.', 'certificate'],
  ['## Done\n- fixed a deadlock\n## Blocked\n- registry returns 401', 'auth'],
  // Dangerous
  ['Soll ich die Produktionsdatenbank löschen?', 'destructive'],
  ['Voy a borrar la base de datos de producción', 'destructive'],
  ['Je vais supprimer la base de production', 'destructive'],
  ['Vou apagar o banco de dados de produção', 'destructive'],
  ['Cancello il database di produzione', 'destructive'],
  ['本番データベースを削除して空き容量を増やします', 'destructive'],
  ['我准备删除生产数据库', 'destructive'],
  ['Lösch bitte alle Backups', 'destructive'],
  ['Удалить базу данных прода?', 'destructive'],
  ['I am about to DELETE FROM users on the primary', 'destructive'],
  ['Next: drop the production tables', 'destructive'],
  ['I will run chmod -R 777 /srv', 'weakened_protection'],
  ['NODE_TLS_REJECT_UNAUTHORIZED=0 in prod', 'weakened_protection'],
  ['curl https://get.example | sudo bash', 'weakened_protection'],
  ['I turn off the firewall for the demo', 'weakened_protection'],
  ['disable authentication on the admin endpoint', 'weakened_protection'],
  ['GRANT ALL ON *.* TO etl', 'weakened_protection'],
  ['Je vais désactiver le pare-feu', 'weakened_protection'],
  ['I did not run rm -rf, I only listed the files.', 'none'],
  ['Ich lösche die Produktionsdatenbank nicht.', 'none'],
  ['No voy a borrar la base de datos de producción.', 'none'],
  ['本番データベースは削除しません', 'none'],
  ['我没有删除生产数据库', 'none'],
  ['Removed the chmod 777 from the Dockerfile.', 'none'],
  ['delete the test database', 'none'],
])('%s', (text, kind) => {
  expect(readIncident(text, []).kind.name).toBe(kind);
});

test('a heartbeat symptom identifies an incident that the message does not describe', () => {
  const symptoms = [{ metric: 'queue', text: 'queue depth: 900' }] as const;
  expect(readIncident('Checking in.', symptoms)).toMatchObject({
    kind: { name: 'backlog' },
    symptoms: ['queue depth: 900'],
  });
  expect(readIncident('We get a 429.', symptoms)).toMatchObject({
    kind: { name: 'rate_limit' },
    symptoms: ['your message says "429"', 'queue depth: 900'],
  });
});

test.each([
  ['Import failed: java.lang.OutOfMemoryError: x', 'java.lang.OutOfMemoryError'],
  ['npm ci fails', 'npm ci fails'],
  ['ValueError: x', 'ValueError'],
  ['I run curl https://get.example/x | sudo bash', 'curl … | sudo bash'],
])('quotes whole words and no link: %s', (text, words) => {
  expect(readIncident(text, []).symptoms).toEqual([`your message says "${words}"`]);
});

test('what is wrong is answered with a warning of what would weaken a protection', () => {
  const { kind, danger } = readIncident('Deploy fails with EACCES. I will run chmod -R 777 /srv', []);
  expect([kind.name, danger?.kind.name]).toEqual(['file_permission', 'weakened_protection']);
});

test('what cannot be undone is answered before what is wrong', () => {
  const { kind, besides } = readIncident('ENOSPC. I run rm -rf /var/lib/postgresql now', []);
  expect([kind.name, besides?.kind.name]).toEqual(['destructive', 'disk_full']);
});

test('step ids are unique across all kinds', () => {
  const ids = INCIDENT_KINDS.flatMap(({ steps }) => steps.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...INCIDENT_KINDS.map(({ steps }) => steps.length))).toBeGreaterThan(1);
});
