/*
 * Whether two statements are about the same work: by the words that name something. Reports rarely repeat an item letter by letter:
 * "Remaining: copy of db3" is closed by "db3 was copied at 10:42".
 */

const FUNCTION_WORDS = new Set(
  [
    'a an the of to in on at for and or with by from as is are was were be been being has have had not no never still all also yet',
    'left remaining remains remain missing open pending outstanding done finished completed complete now already too it its this that',
    'these those i we you they he she my our your do does did need needs must should will would can could next then only thing things',
    'there here so far just today correction please nothing task step work item through via into out up completely fully successfully',
    'der die das den dem des ein eine einen und oder mit von zu im in am auf für ist sind war wurde wurden noch nicht fehlt fehlen offen',
    'fertig erledigt ich wir habe haben es bis mehr muss müssen',
    'el la los las un una de del y o con en por para es está están son no falta faltan queda quedan pendiente he hemos que hay',
    'le les l un une du et ou avec est sont il reste à faire ne pas j ai nous avons',
  ]
    .join(' ')
    .split(' '),
);
/** So many letters tell words apart, and not their forms: rotate, rotated, rotating. */
const STEM = 5;
const IRREGULAR: Readonly<Record<string, string>> = {
  wrote: 'write',
  written: 'write',
  rewrote: 'rewrite',
  built: 'build',
  rebuilt: 'rebuild',
  sent: 'send',
  ran: 'run',
  made: 'make',
};

/** The words of a statement that name something, each once. */
export function namingWords(text: string): ReadonlySet<string> {
  return wordsOf(text).naming;
}

interface Words {
  /** All words, however they are punctuated. */
  readonly all: string;
  readonly naming: ReadonlySet<string>;
}

/** Each report of a session is compared with those before it, so the words of the statements read last are kept. */
const known = new Map<string, Words>();
const MAX_KNOWN = 5_000;

function wordsOf(text: string): Words {
  const found = known.get(text);
  if (found !== undefined) return found;
  const all =
    text
      .toLowerCase()
      .replace(AGO, ' ')
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  const naming = new Set(all.filter((word) => !FUNCTION_WORDS.has(word)).map(stem));
  const words = { all: all.join(' '), naming };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, words);
  return words;
}

/** When something happened names no work. */
const AGO = /(?<!\p{L})\d{1,4} ?(?:s|sec|min|h|seconds?|minutes?|hours?|days?|weeks?) ago(?!\p{L})/gu;

function stem(word: string): string {
  if (/\d/.test(word)) return word;
  const base = (IRREGULAR[word] ?? word)
    .replace(/(?<=\p{L}{2})ie[sd]$/u, 'y')
    .replace(/(?<=\p{L}{3})(?:ing|ed|es|e)$|(?<=\p{L}{2})s$/u, '');
  // dropp(ed) and drop
  return base.replace(/([^aeiou])\1$/u, '$1').slice(0, STEM);
}

/** The same item, however it is punctuated. */
export function isSame(left: string, right: string): boolean {
  return wordsOf(left).all === wordsOf(right).all;
}

/** A statement that names so few things is about nothing else. */
const FEW_WORDS = 3;

/** Whether a statement names everything that an item names. A single common word is not enough. */
export function covers(statement: string, item: string): boolean {
  if (isSame(statement, item)) return true;
  const [named, said] = [namingWords(item), namingWords(statement)];
  if (named.size === 0 || ![...named].every((word) => said.has(word))) return false;
  if (!coversRanges(statement, item)) return false;
  return named.size > 1 || said.size <= FEW_WORDS || /\d/.test([...named].join());
}

/** Whether two statements differ only in their numbers: the later one is a newer count. */
export function isNewCount(newer: string, older: string): boolean {
  const [left, right] = [withoutNumbers(newer), withoutNumbers(older)];
  return left !== '' && left === right && newer !== older;
}

function withoutNumbers(text: string): string {
  return [...namingWords(text)].filter((word) => !/^\d+$/.test(word)).join(' ');
}

export function sharesWord(left: string, right: string): boolean {
  const words = namingWords(right);
  return [...namingWords(left)].some((word) => words.has(word));
}

const BETWEEN_PIECES = /, (?:and |und |y |et )?| and | und | y | et | e | и /u;

/** `shards 1, 2 and 4 to 7`: a word, and the numbers and ranges after it. */
const NUMBERED =
  /(?<![\p{L}_-])([\p{L}_-]{1,40}) ?(\d{1,6}(?: ?(?:to|through|until|bis|a|à|al|до|-|–|—|~|〜|,|and|und|y|et|e|,? and) ?\d{1,6}){0,40})(?![\d:%])/gu;
const BETWEEN_NUMBERS = / ?(?:,? and|,|und|y|et|(?<= )e(?= )) ?/u;
const MAX_STATEMENT = 1_000;
const MAX_NUMBERS = 10_000;

type Run = readonly [first: number, last: number];

function runsIn(list: string): Run[] {
  return list.split(BETWEEN_NUMBERS).map((piece): Run => {
    const [first = '', last = first] = piece.match(/\d+/g) ?? [];
    return [Number(first), Number(last)];
  });
}

/** The numbers and ranges that stand after a word in a statement. */
function runsAfter(noun: string, statement: string): Run[] {
  return [...statement.slice(0, MAX_STATEMENT).matchAll(NUMBERED)]
    .filter(([, word = '']) => sameNoun(stem(word.toLowerCase()), noun))
    .flatMap(([, , list = '']) => runsIn(list));
}

/** batch and batches: a stem is cut, and so is an irregular plural. */
function sameNoun(left: string, right: string): boolean {
  return left !== '' && (left.startsWith(right) || right.startsWith(left));
}

/** What of some runs is in no other run. */
function withoutRuns(runs: readonly Run[], done: readonly Run[]): Run[] {
  const left: [number, number][] = [];
  for (const [first, last] of runs) {
    for (let number = first; number <= Math.min(last, first + MAX_NUMBERS); number += 1) {
      if (done.some(([from, to]) => from <= number && number <= to)) continue;
      const open = left.at(-1);
      if (open !== undefined && open[1] === number - 1 && number > first) open[1] = number;
      else left.push([number, number]);
    }
  }
  return left;
}

/** Whether a statement names all numbers of the ranges in an item, and not only their ends. */
function coversRanges(statement: string, item: string): boolean {
  return [...item.matchAll(NUMBERED)].every(([, noun = '', list = '']) => {
    const runs = runsIn(list);
    if (runs.every(([first, last]) => first === last)) return true;
    return withoutRuns(runs, runsAfter(stem(noun.toLowerCase()), statement)).length === 0;
  });
}

/** What is left of `shards 12 to 15` when a statement says `shard 13`: `shards 12, 14 to 15`. */
function withoutNumbersIn(item: string, statement: string): string | undefined {
  const groups = [...item.matchAll(NUMBERED)].filter(([, noun = '', list = '']) => {
    const [[first, last] = [0, 0], ...more] = runsIn(list);
    return namingWords(noun).size > 0 && (more.length > 0 || first < last) && last - first <= MAX_NUMBERS;
  });
  const [group, ...others] = groups;
  if (group === undefined || others.length > 0) return item;
  const [all, noun = '', list = ''] = group;
  if (!isSameDeed(item, all, statement)) return item;
  const [runs, done] = [runsIn(list), runsAfter(stem(noun.toLowerCase()), statement)];
  const left = withoutRuns(runs, done);
  if (left.length === 0) return undefined;
  if (countOf(left) === countOf(runs)) return item;
  const between = / ?(?:to|through|until|bis|a|à|al|до|-|–|—|~|〜) ?(?=\d)/u.exec(list)?.[0] ?? ' to ';
  const told = left.map(([first, last]) => (first === last ? `${first}` : `${first}${between}${last}`));
  return item.replace(all, () => `${noun} ${told.join(', ')}`);
}

function countOf(runs: readonly Run[]): number {
  return runs.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** Whether a statement says nothing else of its numbers than the item does: "copied shards 1 to 4" leaves "test shards 1 to 8". */
function isSameDeed(item: string, group: string, statement: string): boolean {
  const [named, said] = [namingWords(item), namingWords(statement.replaceAll(NUMBERED, '$1'))];
  const besides = [...namingWords(item.replace(group, ' '))];
  return besides.every((word) => said.has(word)) || [...said].every((word) => named.has(word));
}

/** What is left of an item such as `copy a, b and c` when a statement names some of it; undefined if nothing is left. */
export function withoutCovered(item: string, statement: string): string | undefined {
  if (covers(statement, item)) return undefined;
  // Numbers after one word are one piece.
  const pieces = item
    .replaceAll(NUMBERED, (group) => group.replaceAll(' ', '\u00a0'))
    .split(BETWEEN_PIECES)
    .map((piece) => piece.replaceAll('\u00a0', ' '));
  if (pieces.length < 2) return withoutNumbersIn(item, statement);
  // A piece of a sentence is not an item by itself.
  if (!pieces.every((piece) => isShort(piece))) return item;
  const verb = sharedVerb(pieces);
  const reduced = pieces.map((piece) =>
    verb === undefined ? reducedPiece(piece, statement) : reducedObject(piece, verb, pieces, statement),
  );
  if (reduced.every((piece, index) => piece === pieces[index])) return item;
  const left = reduced.filter((piece) => piece !== undefined);
  const [first] = left;
  if (first === undefined) return undefined;
  const text = left.join(', ');
  return verb === undefined || first.startsWith(verb) ? text : `${verb} ${text}`;
}

function isShort(piece: string): boolean {
  return namingWords(piece.replaceAll(NUMBERED, '$1 1')).size <= FEW_WORDS + 1;
}

function reducedPiece(piece: string, statement: string): string | undefined {
  return covers(statement, piece) ? undefined : withoutNumbersIn(piece, statement);
}

/** `copy` in `copy users, orders and invoices`: the word before the first of several objects. */
function sharedVerb(pieces: readonly string[]): string | undefined {
  const [first = '', ...others] = pieces.map((piece) => piece.replaceAll(NUMBERED, '$1').trim());
  const [verb = '', ...object] = first.split(' ');
  const isVerb = object.length > 0 && namingWords(verb).size > 0;
  return isVerb && others.every((other) => other.split(' ').length < 1 + object.length) ? verb : undefined;
}

/** A piece without what a statement says is done: with the same verb, or with none of its own. */
function reducedObject(
  piece: string,
  verb: string,
  pieces: readonly string[],
  statement: string,
): string | undefined {
  const [all, said] = [namingWords(pieces.join(' ')), namingWords(statement)];
  const isSameVerb = [...namingWords(verb)].every((word) => said.has(word));
  if (!isSameVerb && ![...said].every((word) => all.has(word) || /^\d+$/.test(word))) return piece;
  const object = piece.startsWith(`${verb} `) ? piece.slice(verb.length + 1) : piece;
  if ([...namingWords(object)].every((word) => said.has(word)) && coversRanges(statement, object))
    return undefined;
  const named = isSameVerb ? `${verb} ${object}` : object;
  const left = withoutNumbersIn(named, statement);
  return left === named ? piece : left?.replace(`${verb} `, '');
}
