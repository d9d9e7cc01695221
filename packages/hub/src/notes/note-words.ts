import { NOTE_KINDS, type NoteKind } from './note.ts';

/*
 * The words by which agents mark what they report, as data. Structure (check lists, headings, labels) is the same in every
 * language; only the words differ.
 */

/** Whole words of any script. */
export function words(...lists: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${lists.join('|')})(?![\\p{L}\\p{N}_])`, 'iu');
}
/** Anywhere: scripts without spaces between words. */
export function pieces(list: string): RegExp {
  return new RegExp(list, 'u');
}
export function anyOf(...patterns: readonly RegExp[]): (text: string) => boolean {
  return (text) => patterns.some((pattern) => pattern.test(text));
}

/** Before a colon, or alone as a heading. */
const LABELS: Readonly<Record<NoteKind, readonly string[]>> = {
  done: [
    'done|done so far|done today|already done|also done|what is done|completed|finished|accomplished|what i did|progress so far|fixed',
    'erledigt|fertig|abgeschlossen|hecho|completado|terminado|feito|concluído|concluido|fait|terminé|fatto|completato',
    'сделано|готово|已完成|完成|完了|済み|완료',
  ],
  remaining: [
    'todo|to do|to-do|todos|remaining|remains|remaining work|still open|still to do|open items|pending|left to do',
    'outstanding|not done|not done yet|not yet done|unfinished|still missing|in progress|wip|after that|afterwards|then|left over|follow-up|follow-ups',
    'also remaining|also open|also pending|also to do|also todo|auch offen|außerdem offen|también pendiente|reste aussi',
    'offen|noch offen|offene punkte|fehlt noch|fehlt|fehlen|danach|ausstehend|zu tun|noch zu tun|pendiente|pendientes|por hacer|falta|faltan|queda|quedan|después|pendente|falta fazer|pendentes|a fazer',
    'à faire|a faire|reste à faire|il reste|reste|restant|en cours|ensuite|da fare|rimane|осталось|не сделано|剩余|待办|未完成|残り|残作業|남은 작업',
  ],
  decisions: [
    'decision|decisions|decided|agreed|entscheidung|entscheidungen|entschieden|decisión|decisiones|decisão|decisões',
    'décision|décisions|decisione|решение|решения|决定|決定|결정',
  ],
  questions: [
    'open question|open questions|open point|still unclear|question|questions|unclear|offene frage|offene fragen|frage|fragen|pregunta|preguntas|duda|dudas',
    'question ouverte|questions ouvertes|pergunta|perguntas|domanda|domande|вопрос|вопросы|疑问|質問|질문',
  ],
  next: [
    'next|next step|next steps|next action|next actions|next up|exact next action|nächster schritt|nächste schritte',
    'als nächstes|siguiente paso|próximo paso|siguiente|próximo passo|próximos passos|prochaine étape|prochaines étapes',
    'prossimo passo|следующий шаг|дальше|下一步|次のステップ|次|다음 단계',
  ],
  risk: [
    'risk|risks|risk to watch|watch out|careful|be careful|please be careful|caution|warning|warnings|reminder|keep in mind|heads up|heads-up|attention|beware|important|note well|danger|risiko|risiken|achtung|vorsicht|warnung|wichtig',
    'riesgo|riesgos|ojo|peligro|advertencia|risco|riscos|cuidado|atenção|risque|risques|avertissement|prudence|rischio|rischi|риск|риски|осторожно|风险|注意|リスク|위험',
  ],
  error: [
    'error|errors|failure|failed|last error|blocker|blockers|blocked|blocked by|problem|problems|exception|fehler|letzter fehler|problem|probleme|blockiert|fallo|fallos|bloqueos|bloqueado|erro|erros',
    'erreur|erreurs|bloqué|errore|errori|ошибка|ошибки|错误|エラー|오류',
  ],
};

/** Too common before a colon: only as a heading. */
const HEADINGS: Partial<Record<NoteKind, string>> = {
  done: 'complete|status: done',
  remaining: 'open|left|missing|incomplete',
};

function index(labels: (kind: NoteKind) => string): ReadonlyMap<string, NoteKind> {
  return new Map(
    NOTE_KINDS.flatMap((kind) =>
      labels(kind)
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

/** Before a label: it adds to what was listed before. */
const ADDS = /^(?:also|auch|außerdem|también|aussi)\b|\b(?:aussi)$/iu;

/** Whether a label adds to an earlier list instead of replacing it. */
export function addsToList(label: string): boolean {
  return ADDS.test(label);
}

/** An answer closes the question that was noted before it. */
const ANSWER =
  /^(?:the )?(?:answer|reply|antwort|respuesta|réponse|resposta|risposta|ответ|回答|答え|답변)(?: (?:from|by|of|to|von|de) .{1,30})?$/iu;

export function isAnswerLabel(label: string): boolean {
  return ANSWER.test(label);
}

/** Says that there is nothing, where an item would stand. */
const NOTHING = new Set(
  [
    'none|nothing|nothing left|nothing else|nothing more|no|nil|null|n/a|na|n.a|-|--|–|—|/|0|not any|no one|no items',
    'nichts|nichts mehr|keine|keiner|keines|kein|nada|nada más|ninguno|ninguna|ningunos|ningún|no hay|sin riesgos',
    'nenhum|nenhuma|rien|plus rien|aucun|aucune|néant|niente|nessuno|нет|ничего|无|没有|なし|特になし|ない|없음',
  ]
    .join('|')
    .split('|'),
);
/** What people add to it: "none so far", "no open questions", "keine bekannt". */
const NOTHING_KNOWN =
  /^(?:none|nothing|no|keine?|ninguno?a?|aucune?|nenhuma?)(?: (?:open|known|new|other|further|more|currently|at the moment|right now|so far|yet|known so far|bekannt|bisher|offen|conocidos?|por ahora|connue?s?|pour l'instant|risks?|questions?|blockers?|errors?|problems?|issues?|decisions?|items?|work|tasks?|steps?|todos?|offenen?|fragen|risiken|fehler|riesgos?|preguntas?|errores|risques?|questions ouvertes|erreurs?))*$/iu;

export function meansNothing(text: string): boolean {
  const word = text
    .trim()
    .toLowerCase()
    .replace(/[.!。]$/u, '')
    .trim();
  return word === '' || NOTHING.has(word) || (word.length <= LONGEST_NOTHING && NOTHING_KNOWN.test(word));
}
const LONGEST_NOTHING = 60;
