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
  const all = text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const naming = new Set(all.filter((word) => !FUNCTION_WORDS.has(word)).map(stem));
  const words = { all: all.join(' '), naming };
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(text, words);
  return words;
}

function stem(word: string): string {
  if (/\d/.test(word)) return word;
  return word.length > STEM ? word.slice(0, STEM) : word.replace(/(?<=..)s$/, '');
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

const BETWEEN_PIECES = /, (?:and |und |y |et )?| and | und | y | et /u;

const RANGE =
  /(?<![\p{L}_-])([\p{L}_-]{1,40}) ?(\d{1,6})( ?(?:to|through|until|bis|a|à|-|–|—|~|〜) ?)(\d{1,6})(?!\d)/u;

/** What is left of `shards 12 to 15` when a statement says `shard 12`: the numbers after the same word. */
function withoutNumbersIn(item: string, statement: string): string | undefined {
  const [range, noun = '', from = '', between = '', to = ''] = RANGE.exec(item) ?? [];
  if (range === undefined) return item;
  const numbers = numbersAfter(stem(noun.toLowerCase()), statement);
  const isDone = (number: number): boolean =>
    numbers.some(([first, last]) => first <= number && number <= last);
  let [first, last] = [Number(from), Number(to)];
  while (first <= last && isDone(first)) first += 1;
  while (first <= last && isDone(last)) last -= 1;
  if (first > last) return item.trim() === range ? undefined : item;
  if (first === Number(from) && last === Number(to)) return item;
  return item.replace(range, `${noun} ${first === last ? first : `${first}${between}${last}`}`);
}

const NUMBERS =
  /(?<![\p{L}_-])([\p{L}_-]{1,40}) ?(\d{1,6}(?: ?(?:to|through|until|bis|-|–|—|~|〜|,|and|und|y|et|a|à) ?\d{1,6}){0,20})(?![\d:%])/gu;

/** The numbers and ranges that stand after a word. */
function numbersAfter(noun: string, statement: string): [number, number][] {
  return [...statement.slice(0, MAX_STATEMENT).matchAll(NUMBERS)]
    .filter(([, word = '']) => sameNoun(stem(word.toLowerCase()), noun))
    .flatMap(([, , list = '']) => list.split(/ ?(?:,|and|und|y|et) ?/u))
    .map((piece) => {
      const [first = '', last = first] = piece.match(/\d+/g) ?? [];
      return [Number(first), Number(last)];
    });
}
const MAX_STATEMENT = 1_000;

/** batch and batches: a stem is cut, and so is an irregular plural. */
function sameNoun(left: string, right: string): boolean {
  return left !== '' && (left.startsWith(right) || right.startsWith(left));
}

/** What is left of an item such as `a, b and c` when a statement names some of it; undefined if nothing is left. */
export function withoutCovered(item: string, statement: string): string | undefined {
  if (covers(statement, item)) return undefined;
  const pieces = item.split(BETWEEN_PIECES);
  if (pieces.length < 2) return withoutNumbersIn(item, statement);
  const left = pieces.filter((piece) => !covers(statement, piece));
  // A piece of a sentence is not an item by itself.
  const isList = pieces.every((piece) => namingWords(piece).size <= FEW_WORDS + 1);
  if (!isList || left.length === pieces.length) return item;
  return left.length === 0 ? undefined : left.join(', ');
}
