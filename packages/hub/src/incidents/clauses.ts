/** Longer messages are contents; what they report is at their beginning. */
const LONGEST_READ = 2_000;

const BREAKS =
  /[!?;。！？；]|\.(?=[\s.]|$)|[\n—–]|,\s|，|(?<=:)\s|\s(?=(?:but|however|although|though|yet now|and now|aber|pero|mas|mais|но)\s)/iu;

/** The statements of a message: its sentences, cut where a new statement begins. */
export function clausesOf(text: string): string[] {
  return text
    .slice(0, LONGEST_READ)
    .replaceAll('’', "'")
    .split(BREAKS)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');
}

const PAST =
  /\b(?:yesterday|last (?:week|night|month|year|time|sprint)|used to|at first|initially|previously|(?:days?|weeks?|months?) ago)\b/i;
const UNTIL_NOW = /\b(?:now|today|still|since|again|currently|keeps?|every)\b/i;

/** Whether a statement is about a time that is over. */
export function isPast(clause: string): boolean {
  return PAST.test(clause) && !UNTIL_NOW.test(clause);
}

const CONTRAST = /\b(?:now|today|currently|this (?:morning|week)|again|meanwhile)\b/i;

/** The statements about the present. What happened before counts as well, unless the message contrasts it with the present. */
export function currentClauses(text: string): string[] {
  const clauses = clausesOf(text);
  const current = clauses.filter((clause) => !isPast(clause));
  return current.some((clause) => CONTRAST.test(clause)) ? current : clauses;
}
