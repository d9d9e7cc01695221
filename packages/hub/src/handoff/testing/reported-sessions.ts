/** A session as an agent reports it to the hub, and what a packet of it must and must not say. */
export interface ReportedSession {
  readonly name: string;
  /** The messages of the agent, the last of which may ask for the packet. */
  readonly messages: readonly string[];
  readonly next: string | RegExp;
  readonly remaining?: readonly string[];
  readonly done?: readonly string[];
  readonly decisions?: readonly string[];
  readonly risk?: string | RegExp;
  readonly questions?: readonly string[];
  readonly error?: string | null;
  readonly confidence?: 'high' | 'medium' | 'low';
  /** Texts that must not be anywhere in the packet's sentences. */
  readonly never?: readonly string[];
}

export const ASK = 'What should the next agent remember?';

export const REPORTED_SESSIONS: readonly ReportedSession[] = [
  {
    name: 'half-done migration, reported and asked for in one message',
    messages: [
      'Done: batches 1 to 3\nRemaining: batches 4 to 10\nNext: run migrate.sh --from 4\nPlease prepare the handoff.',
    ],
    next: 'run migrate.sh --from 4',
    remaining: ['batches 4 to 10'],
    done: ['batches 1 to 3'],
    confidence: 'high',
    never: ['Nothing is left'],
  },
  {
    name: 'notes first, small talk later',
    messages: [
      'Decision: keep UTC everywhere\nRemaining: convert the reports\nNext: start with report_daily.sql',
      'thanks',
      ASK,
    ],
    next: 'start with report_daily.sql',
    remaining: ['convert the reports'],
    decisions: ['keep UTC everywhere'],
    confidence: 'high',
    never: ['Nothing is left', 'topic: thanks'],
  },
  {
    name: 'a newer list replaces the older one',
    messages: [
      'Done: batches 1 to 3\nRemaining: batches 4 to 10',
      'Done: batches 4 to 6\nRemaining: batches 7 to 10',
      ASK,
    ],
    next: 'batches 7 to 10',
    remaining: ['batches 7 to 10'],
    done: ['batches 1 to 3', 'batches 4 to 6'],
  },
  {
    name: 'a check list',
    messages: [
      'Plan:\n- [x] export the users\n- [ ] upload the list\n- [ ] delete the temporary bucket',
      ASK,
    ],
    next: 'upload the list',
    remaining: ['upload the list', 'delete the temporary bucket'],
    done: ['export the users'],
  },
  {
    name: 'a check list that is worked off over several messages',
    messages: [
      '- [ ] tokens\n- [ ] errors\n- [ ] docs',
      '- [x] tokens',
      '- [x] errors\nNext: write the docs',
      ASK,
    ],
    next: 'write the docs',
    remaining: ['docs'],
    done: ['tokens', 'errors'],
  },
  {
    name: 'headings of Markdown',
    messages: [
      '## Done\n- schema v2 is live\n- backfill of 2024\n\n## Remaining\n- backfill of 2025\n- drop the old table\n\n## Risks\n- the old table is still read by billing',
      ASK,
    ],
    next: 'backfill of 2025',
    remaining: ['backfill of 2025', 'drop the old table'],
    done: ['schema v2 is live', 'backfill of 2024'],
    risk: 'the old table is still read by billing',
  },
  {
    name: 'bold headings and numbers',
    messages: [
      '**Done**\n1. rotated the key in eu\n\n**Next steps**\n1. rotate the key in us\n2. revoke the old key',
      ASK,
    ],
    next: 'rotate the key in us',
    remaining: ['revoke the old key'],
    done: ['rotated the key in eu'],
  },
  {
    name: 'plain sentences',
    messages: [
      'I finished batches 1 to 3. Batches 4 to 10 are still missing. The next step is to run migrate.sh --from 4.',
      ASK,
    ],
    next: 'The next step is to run migrate.sh --from 4.',
    remaining: ['Batches 4 to 10 are still missing.'],
    done: ['I finished batches 1 to 3.'],
  },
  {
    name: 'a negated sentence is not done',
    messages: ['The API is deployed. The worker has not been deployed yet.', ASK],
    next: 'The worker has not been deployed yet.',
    remaining: ['The worker has not been deployed yet.'],
    done: ['The API is deployed.'],
  },
  {
    name: 'a warning in plain words',
    messages: [
      "We migrated 40 of 90 tenants. Don't run the job twice for one tenant. 50 tenants are left.",
      ASK,
    ],
    next: '50 tenants are left.',
    risk: "Don't run the job twice for one tenant.",
  },
  {
    name: 'trouble without a report of work',
    messages: ['We are stuck in a retry storm (429). Need a calm next step.', ASK],
    next: /^Ask what is left to do\. The last report says only: We are stuck in a retry storm/,
    remaining: [],
    done: [],
    confidence: 'low',
    never: ['Nothing is left'],
  },
  {
    name: 'only a question',
    messages: [ASK],
    next: /^Ask/,
    confidence: 'low',
    never: ['Nothing is left'],
  },
  {
    name: 'everything is done, and said so',
    messages: ['Done: all 10 batches\nRemaining: none', ASK],
    next: 'Nothing is left to do, as the last report says.',
    remaining: [],
    done: ['all 10 batches'],
    confidence: 'high',
  },
  {
    name: 'finished, then more work turned up',
    messages: [
      'Remaining: none',
      'Remaining: invoices of March fail\nNext: rerun invoices.py --month 3',
      ASK,
    ],
    next: 'rerun invoices.py --month 3',
    remaining: ['invoices of March fail'],
    never: ['Nothing is left'],
  },
  {
    name: 'what was next is done, something else is left',
    messages: [
      'Next: restart the queue',
      'Done: restart the queue\nRemaining: watch the lag for an hour',
      ASK,
    ],
    next: 'watch the lag for an hour',
    done: ['restart the queue'],
  },
  {
    name: 'an error and who is blocked',
    messages: [
      'Done: image built\nBlocked by: registry returns 403 for the push\nNext: ask platform for push rights',
      ASK,
    ],
    next: 'ask platform for push rights',
    risk: 'This error may recur: registry returns 403 for the push',
    done: ['image built'],
  },
  {
    name: 'German',
    messages: [
      'Erledigt: Kunden A bis M\nOffen: Kunden N bis Z\nNächster Schritt: export.sh --ab N\nAchtung: nicht zweimal senden',
      ASK,
    ],
    next: 'export.sh --ab N',
    remaining: ['Kunden N bis Z'],
    done: ['Kunden A bis M'],
    risk: 'nicht zweimal senden',
  },
  {
    name: 'Spanish',
    messages: [
      'Hecho: facturas de enero\nPendiente: facturas de febrero\nSiguiente paso: ejecutar facturas.py --mes 2',
      ASK,
    ],
    next: 'ejecutar facturas.py --mes 2',
    remaining: ['facturas de febrero'],
  },
  {
    name: 'Portuguese, asked in Portuguese',
    messages: ['Feito: lotes 1 a 3\nPendente: lotes 4 a 10', 'O que o próximo agente deve lembrar?'],
    next: 'lotes 4 a 10',
    remaining: ['lotes 4 a 10'],
  },
  {
    name: 'French',
    messages: [
      'Fait : schéma mis à jour\nReste à faire : index\nProchaine étape : créer l’index sur commandes',
      ASK,
    ],
    next: 'créer l’index sur commandes',
    remaining: ['index'],
  },
  {
    name: 'Chinese',
    messages: ['已完成：第1到第3批\n待办：第4到第10批\n下一步：从第4批开始运行 migrate.sh', ASK],
    next: '从第4批开始运行 migrate.sh',
    remaining: ['第4到第10批'],
    done: ['第1到第3批'],
  },
  {
    name: 'Japanese check marks',
    messages: ['✅ 設計\n⬜ 実装\n⬜ テスト', ASK],
    next: '実装',
    remaining: ['実装', 'テスト'],
    done: ['設計'],
  },
  {
    name: 'a label with a count',
    messages: ['Done (3 of 10): a, b, c\nRemaining (7): d to j', ASK],
    next: 'd to j',
    remaining: ['d to j'],
  },
  {
    name: 'a wish is not a report',
    messages: ['Please make sure the upload is finished before Friday. Can the bucket be deleted?', ASK],
    next: /^Ask what is left to do\./,
    done: [],
    remaining: [],
  },
  {
    name: 'advice of the hub is not work',
    messages: [
      '429 on every call to the geocoder',
      'Still 429.',
      'Done: geocoded 120 of 400 rows\nRemaining: rows 121 to 400',
      ASK,
    ],
    next: 'rows 121 to 400',
    done: ['geocoded 120 of 400 rows'],
    remaining: ['rows 121 to 400'],
    never: ['Retry-After', 'Wait'],
  },
];
