import type { NoteKind } from './evidence.ts';

/*
 * The words by which agents mark what they report, as data. Structure (check lists, headings, labels) is the same in every
 * language; only the words differ.
 */

/** Before a colon, or alone as a heading. */
const LABELS: Readonly<Record<NoteKind, readonly string[]>> = {
  done: [
    'done|done so far|already done|what is done|completed|finished|accomplished|what i did|progress so far',
    'erledigt|fertig|abgeschlossen|hecho|completado|terminado|feito|concluído|concluido|fait|terminé|fatto|completato',
    'сделано|готово|已完成|完成|完了|済み|완료',
  ],
  remaining: [
    'todo|to do|to-do|todos|remaining|remains|remaining work|still open|still to do|open items|pending|left to do',
    'outstanding|not done|not done yet|not yet done|unfinished|still missing',
    'offen|noch offen|ausstehend|zu tun|noch zu tun|pendiente|pendientes|por hacer|falta|pendente|pendentes|a fazer',
    'à faire|a faire|reste à faire|restant|da fare|rimane|осталось|не сделано|剩余|待办|未完成|残り|残作業|남은 작업',
  ],
  decisions: [
    'decision|decisions|decided|agreed|entscheidung|entscheidungen|entschieden|decisión|decisiones|decisão|decisões',
    'décision|décisions|decisione|решение|решения|决定|決定|결정',
  ],
  questions: [
    'open question|open questions|question|questions|unclear|offene frage|offene fragen|frage|fragen|pregunta|preguntas',
    'pergunta|perguntas|domanda|domande|вопрос|вопросы|疑问|質問|질문',
  ],
  next: [
    'next|next step|next steps|next action|next actions|next up|exact next action|nächster schritt|nächste schritte',
    'als nächstes|siguiente paso|próximo paso|siguiente|próximo passo|próximos passos|prochaine étape|prochaines étapes',
    'prossimo passo|следующий шаг|дальше|下一步|次のステップ|次|다음 단계',
  ],
  risk: [
    'risk|risks|risk to watch|watch out|careful|caution|warning|attention|beware|risiko|risiken|achtung|vorsicht',
    'riesgo|riesgos|risco|riscos|cuidado|atenção|risque|risques|rischio|rischi|риск|риски|осторожно|风险|注意|リスク|위험',
  ],
  error: [
    'error|errors|failure|failed|last error|blocker|blockers|blocked|blocked by|fehler|blockiert|bloqueado|erro|erros',
    'erreur|erreurs|bloqué|errore|errori|ошибка|ошибки|错误|エラー|오류',
  ],
};

/** Too common before a colon: only as a heading. */
const HEADINGS: Partial<Record<NoteKind, string>> = {
  done: 'complete|status: done',
  remaining: 'open|left|missing|incomplete',
};

const KINDS = Object.keys(LABELS) as NoteKind[];

function index(words: (kind: NoteKind) => string): ReadonlyMap<string, NoteKind> {
  return new Map(
    KINDS.flatMap((kind) =>
      words(kind)
        .split('|')
        .map((word): [string, NoteKind] => [word, kind]),
    ),
  );
}

const BY_LABEL = index((kind) => LABELS[kind].join('|'));
const BY_HEADING = index((kind) => HEADINGS[kind] ?? '');

/** The kind that a label stands for: `Remaining`, `Offen`, `下一步`. */
export function kindOfLabel(label: string, { isHeading }: { isHeading: boolean }): NoteKind | undefined {
  const word = label.toLowerCase();
  return BY_LABEL.get(word) ?? (isHeading && word !== '' ? BY_HEADING.get(word) : undefined);
}

/** Says that nothing is left, where an item would stand. */
const NOTHING = new Set(
  'none|nothing|nothing left|no|n/a|na|-|nichts|keine|nada|ninguno|ninguna|nenhum|rien|aucun|aucune|niente|нет|ничего|无|没有|なし|없음'.split(
    '|',
  ),
);

export function meansNothing(text: string): boolean {
  return NOTHING.has(text.toLowerCase().replace(/[.!。]$/, ''));
}

/** What a sentence reports. The first that matches counts: what is negated is not done. */
const SENTENCES: readonly (readonly [NoteKind, RegExp])[] = [
  [
    'next',
    /^(?:the )?next (?:step|action|thing)s? (?:is|are|would be|will be|should be)\b|^next,? (?:i|we|you|someone|somebody|the next agent)\b|^(?:you|the next agent|the successor|whoever continues) (?:should|must|needs? to|has to|can)\b/i,
  ],
  [
    'risk',
    /^(?:be careful|careful|watch out|beware|do not|don't|never) |\b(?:the|one|a|biggest|main) risk (?:is|would be)\b|\bmust not be (?:run|deleted|restarted|repeated|touched)\b/i,
  ],
  [
    'remaining',
    /\b(?:is|are|was|were) (?:still |all )?(?:left|missing|outstanding|unfinished|open|pending|undone|incomplete)\b|\b(?:is|are|was|were|has|have|had)(?: not|n't) (?:yet |been )*(?:done|finished|completed?|started|begun|migrated|deployed|tested|merged|uploaded|written|converted|touched)\b|\bnot (?:yet )?(?:done|finished|completed|started|migrated|deployed|tested|merged|uploaded|written)\b|\bstill (?:need|needs|have|has) to\b|\bremains? to be\b|\b(?:i|we) (?:did not|didn't|have not|haven't|could not|couldn't) (?:get to|reach|finish|start|complete|test|deploy|do|run|upload|migrate)\b/i,
  ],
  [
    'decisions',
    /\b(?:i|we) (?:have |had )?(?:decided|agreed|chose|settled)\b|\bit was (?:decided|agreed)\b/i,
  ],
  [
    'done',
    /^(?:(?:i|we)(?:'ve| have| had)? (?:already |just |now )?|(?:already |just ))?(?:finished|completed|implemented|fixed|merged|deployed|migrated|uploaded|ported|converted|renamed|removed|added|wrote|written|tested|updated|upgraded|installed|configured|created)\b|\b(?:is|are|has been|have been|was|were) (?:now |already |all )?(?:done|finished|completed|complete|merged|deployed|migrated|uploaded|ported|converted|tested|fixed)\b/i,
  ],
];

/** A wish or a question reports nothing. */
const ASKING = /\?\s*$|^(?:please|can|could|would|will|should|how|what|why|when|where|which|who|if)\b/i;

/** The kind of note that a sentence is; undefined for most sentences. */
export function kindOfSentence(sentence: string): NoteKind | undefined {
  if (ASKING.test(sentence)) return undefined;
  return SENTENCES.find(([, pattern]) => pattern.test(sentence))?.[0];
}
