/** Longer messages are contents; what they report is at their beginning. */
const LONGEST_READ = 2_000;

/** One statement of a message, and whether its label or list says that it is done, or only planned, feared or asked. */
export interface Statement {
  readonly text: string;
  readonly about: 'now' | 'done' | 'planned';
}

/** The statements of a message: its sentences, cut where a new statement begins. What it only cites is left out. */
export function statementsOf(text: string): Statement[] {
  const read = text
    .slice(0, LONGEST_READ)
    .replaceAll('’', "'")
    .replaceAll(/[“”„«»]/g, '"');
  const statements: Statement[] = [];
  let section: Statement['about'] = 'now';
  let isAfterBlank = false;
  for (const line of withoutCitations(read).split('\n')) {
    const { bare, isHeading, isItem, about } = readLine(line);
    if (bare === '') {
      isAfterBlank = true;
      continue;
    }
    if (isHeading || (isAfterBlank && !isItem)) section = 'now';
    isAfterBlank = false;
    const label = labelOf(bare.replace(/:$/, ''));
    if (label !== undefined && (isHeading || bare.endsWith(':'))) section = label;
    else
      for (const sentence of bare.split(SENTENCE_END))
        statements.push(...clausesOf(sentence, about ?? section));
  }
  return statements;
}

/** The list mark, heading mark or check box of a line, and the rest. */
function readLine(line: string): {
  bare: string;
  isHeading: boolean;
  isItem: boolean;
  about: Statement['about'] | undefined;
} {
  const trimmed = line.trim();
  const isHeading = /^#{1,6}\s/.test(trimmed);
  const isItem = /^(?:[-*+•]|\d{1,3}[.)])\s/.test(trimmed);
  const rest = isHeading || isItem ? trimmed.slice(trimmed.search(/\s/)).trim() : trimmed;
  const box = /^(?:\[[x ]\]|[✅✔☑✓⬜☐🔲⏳🚧])/iu.exec(rest)?.[0];
  return {
    bare: rest
      .slice(box?.length ?? 0)
      .replaceAll('**', '')
      .trim(),
    isHeading,
    isItem: isItem || box !== undefined,
    about: box === undefined ? undefined : /[x✅✔☑✓]/iu.test(box) ? 'done' : 'planned',
  };
}

const SENTENCE_END = /[!?;。！？；]|\.(?=[\s."']|$)/u;
const BREAKS =
  /[—–]|,\s|[，、]|(?<=:)\s(?!(?:true|false|none|normal|zero|0)\b(?!\.))|(?<=：)|\s(?=(?:but|however|although|though|yet now|and now|and it|and we|and they|aber|pero|mas|mais|но)\s)/iu;

/** A label counts until the end of its sentence: `Remaining: find the deadlock, then test`. */
function clausesOf(sentence: string, section: Statement['about']): Statement[] {
  let about = section;
  return sentence
    .split(BREAKS)
    .map((clause) => clause.trim())
    .flatMap((clause) => {
      if (clause === '') return [];
      const label = /[:：]$/.test(clause) ? labelOf(clause.slice(0, -1)) : undefined;
      about = label ?? about;
      return [{ text: clause, about }];
    });
}

const DONE_LABEL =
  /^(?:already |all |also )?(?:done|completed?|finished|fixed|resolved|solved|closed|decisions?|decided|erledigt|fertig|behoben|hecho|completado|terminado|resuelto|feito|conclu[ií]do|fait|termin[ée]|résolu|fatto|сделано|готово|完了|已完成|完成)(?: so far)?$/i;
const PLANNED_LABEL =
  /^(?:also |still )?(?:to.?dos?|remaining(?: work)?|remains|pending|outstanding|open(?: (?:items|questions?))?|left(?: to do)?|to do|next(?: (?:steps?|actions?|up))?|plan|planned|later|after that|risks?|(?:be )?careful|caution|questions?|titles?|subject|topic|focus|offen|noch offen|n[äa]chste[rs]? schritte?|als n[äa]chstes|risik(?:o|en)|achtung|vorsicht|frage|pendientes?|por hacer|falta|siguiente(?: paso)?|pr[óo]ximo pas[so]o?|riesgos?|cuidado|pregunta|pendentes?|a fazer|riscos?|pergunta|(?:reste )?[àa] faire|prochaines? [ée]tapes?|risques?|da fare|rischi?o?|осталось|дальше|риски?|残り|残作業|次|次のステップ|リスク|質問|剩余|待办|下一步|风险)$/i;
const LONGEST_LABEL = 30;
/** What a document says holds in general: `Our runbook says: on 503, restart the gateway`. */
const CITES =
  /\b(?:runbooks?|playbooks?|docs?|documentation|guide|readme|policy|wiki|manual|checklist)\b[^:]{0,20}$/i;

function labelOf(words: string): Statement['about'] | undefined {
  const label = words.slice(0, LONGEST_LABEL).split('(')[0]?.trim() ?? '';
  if (DONE_LABEL.test(label)) return 'done';
  return PLANNED_LABEL.test(label) || CITES.test(words) ? 'planned' : undefined;
}

/** Before a quotation that is an error text or a command, and not a title or somebody's words. */
const QUOTES_OUTPUT =
  /\b(?:with|avec|mit|con|com|erreur|fehler|meldung|erro|fail\w*|errors?|exception|hits?|received?|raises?|raised|got|gets?|getting|returns?|returned|throws?|threw|prints?|printed|shows?|showed|logs?|logged|output|message|see|saw|seeing|status|reports?|reported|answers?|answered|responds?|responded|run|running|runs|execute|command|do|use|(?<!\b(?:you|he|she|they|i|we|colleague|customer|user|team|manager|advice|hub) )(?:says|said))[ :(]{0,3}$/i;

/** Drops quoted titles and what others said: "closed the ticket "Deadlock in billing"" names no deadlock. */
function withoutCitations(text: string): string {
  return text.replaceAll(/"[^"\n]{1,400}"/g, (quoted: string, index: number) => {
    const before = text.slice(Math.max(0, index - 40), index);
    const isFirst = /(?:^|[.!?\n])\s{0,3}$/.test(before);
    return isFirst || QUOTES_OUTPUT.test(before) ? quoted.slice(1, -1) : '"…"';
  });
}

const PAST =
  /\b(?:yesterday|last (?:week|night|month|year|time|sprint|quarter|spring|summer|autumn|fall|winter|release|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|used to|at first|initially|previously|back then|in the past|the other day|earlier this (?:week|month|year)|(?:hours?|days?|weeks?|months?|years?) ago|gestern|letzte[nrs]? (?:woche|monat|nacht|jahr)|vorige woche|ayer|la semana pasada|hier|la semaine dernière|ontem|na semana passada|ieri)\b|昨日|先週|昨天|上周/i;
const UNTIL_NOW =
  /\b(?:now|today|still|since|again|currently|keeps?|every|expired|ever|heute|jetzt|immer noch|hoy|ahora|sigue|aujourd'hui|depuis|toujours|hoje|agora)\b/i;

/** Whether a statement is about a time that is over. */
export function isPast(clause: string): boolean {
  return PAST.test(clause) && !UNTIL_NOW.test(clause);
}

const CONTRAST = /\b(?:now|today|currently|this (?:morning|week)|again|meanwhile)\b/i;

/** Whether a statement sets the present against what was before. */
export function isContrast(clause: string): boolean {
  return CONTRAST.test(clause);
}
