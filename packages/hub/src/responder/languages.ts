import type { Outcome } from './advice-memory.ts';

/** The fixed sentences for a message in a language other than English. `{title}` is the incident, in English. */
export interface Language {
  readonly name: string;
  readonly found: string;
  readonly notFound: string;
  readonly ask: string;
}

interface KnownLanguage extends Language {
  /** Its script, or words that are frequent in it and not in English. */
  readonly words: RegExp;
  /** How many different words are needed. */
  readonly least: number;
  readonly helped: RegExp;
  readonly failed: RegExp;
}

const LANGUAGES: readonly KnownLanguage[] = [
  {
    name: 'German',
    words:
      /(?<!\p{L})(?:der|das|ist|nicht|und|ich|wir|ein|eine|mit|auf|für|es|hat|haben|sind|wird|kein|keine|bitte|jetzt|noch|läuft|beim|seit|dem|den|zu)(?!\p{L})/giu,
    least: 2,
    helped:
      /\b(?:hat geholfen|hat funktioniert|funktioniert (?:jetzt|wieder)|läuft (?:jetzt|wieder)|ist behoben|problem gelöst)/i,
    failed:
      /\b(?:nicht geholfen|geht (?:immer noch |noch immer )?nicht|funktioniert (?:immer noch |noch immer |noch )?nicht|immer noch)/i,
    found: 'Ich habe das so verstanden: {title}. Der nächste Schritt steht hier auf Englisch.',
    notFound:
      'Die Nachricht ist gespeichert. Ich habe darin kein Problem erkannt, zu dem ich einen Schritt kenne.',
    ask: 'Bitte senden Sie die genaue Fehlermeldung.',
  },
  {
    name: 'Spanish',
    words:
      /(?<!\p{L})(?:el|los|las|una|está|esta|pero|con|por|para|hay|muy|ahora|nos|estamos|tengo|tenemos|servidor|del|se|es|la|y)(?!\p{L})/giu,
    least: 3,
    helped: /\b(?:ha funcionado|ya funciona|funcionó|ha ayudado|resuelto|solucionado)/i,
    failed:
      /\b(?:no (?:ha )?(?:funciona|funcionado|funcionó|ayudó|ayudado)|sigue (?:fallando|igual)|todavía)/i,
    found: 'Lo he entendido así: {title}. El siguiente paso está en inglés.',
    notFound: 'El mensaje está guardado. No he reconocido un problema para el que conozca un paso.',
    ask: 'Por favor, envíe el texto exacto del error.',
  },
  {
    name: 'Portuguese',
    words:
      /(?<!\p{L})(?:não|uma|está|estamos|com|mas|para|muito|agora|você|nós|tenho|temos|servidor|do|da|os|em|ao|foi|são|é|o|e)(?!\p{L})/giu,
    least: 3,
    helped: /\b(?:funcionou|já funciona|ajudou|resolvido)/i,
    failed: /\b(?:não (?:funcionou|funciona|ajudou)|continua (?:falhando|igual)|ainda)/i,
    found: 'Entendi assim: {title}. O próximo passo está em inglês.',
    notFound: 'A mensagem está guardada. Não reconheci um problema para o qual eu conheça um passo.',
    ask: 'Por favor, envie o texto exato do erro.',
  },
  {
    name: 'French',
    words:
      /(?<!\p{L})(?:le|les|des|une|est|pas|nous|je|avec|pour|dans|sur|mais|ça|cela|depuis|sont|du|au|plus|la|et)(?!\p{L})/giu,
    least: 3,
    helped: /(?:ça|cela) (?:marche|a marché|a fonctionné|fonctionne|a aidé)|\b(?:résolu|réglé)/i,
    failed: /(?:n'a pas|ne marche (?:toujours )?pas|ne fonctionne (?:toujours )?pas|toujours)/i,
    found: 'J’ai compris ceci : {title}. L’étape suivante est en anglais.',
    notFound:
      'Le message est enregistré. Je n’y ai pas reconnu de problème pour lequel je connais une étape.',
    ask: 'Merci d’envoyer le texte exact de l’erreur.',
  },
  {
    name: 'Japanese',
    words: /[\u3041-\u30fa]/gu,
    least: 2,
    helped: /(?:解決しました|直りました|うまくいきました|動きました)/,
    failed: /(?:解決しません|直りません|うまくいきません|動きません|まだ)/,
    found: '次のように理解しました：{title}。次の手順は英語です。',
    notFound: 'メッセージは保存しました。対処手順のある問題は見つかりませんでした。',
    ask: '正確なエラーメッセージを送ってください。',
  },
  {
    name: 'Chinese',
    words: /\p{Script=Han}/gu,
    least: 2,
    helped: /(?:解决了|已解决|好了|有效|恢复了)/,
    failed: /(?:没有(?:用|解决|帮助|效果)|没用|无效|还是不|仍然|还没)/,
    found: '我的理解是：{title}。下一步用英文说明。',
    notFound: '消息已保存。我没有识别出已知处理步骤的问题。',
    ask: '请发送完整的错误信息。',
  },
  {
    name: 'Russian',
    words: /\p{Script=Cyrillic}/gu,
    least: 2,
    helped: /(?:помогло|заработало|решено|исправлено)/i,
    failed: /(?:не (?:помогло|работает|заработало)|всё ещё|все еще|по-прежнему)/i,
    found: 'Я понял это так: {title}. Следующий шаг дан по-английски.',
    notFound: 'Сообщение сохранено. Я не узнал в нём проблему, для которой знаю следующий шаг.',
    ask: 'Пришлите, пожалуйста, точный текст ошибки.',
  },
];

/** What of a message is looked at. */
const LONGEST_READ = 2_000;
/** Frequent in English: a message with more of them than of another language's words is English. */
const ENGLISH =
  /\b(?:the|is|are|and|to|of|in|it|we|i|that|this|not|with|for|on|at|now|every|you|was|but|from|a)\b/gi;

/** The language of a message, if it is a known one other than English. */
export function languageOf(text: string): Language | undefined {
  return knownLanguageOf(text);
}

function knownLanguageOf(text: string): KnownLanguage | undefined {
  const read = text.slice(0, LONGEST_READ);
  const english = countOf(read, ENGLISH);
  const counted = LANGUAGES.map((language) => ({ language, count: countOf(read, language.words) })).filter(
    ({ language: { least }, count }) => count >= least && count > english,
  );
  // Japanese is written with Chinese characters as well, so its own script decides.
  const japanese = counted.find(({ language: { name } }) => name === 'Japanese');
  return (japanese ?? counted.toSorted((one, other) => other.count - one.count)[0])?.language;
}

/** Counts different words, so that one that is repeated or a name does not decide. */
function countOf(text: string, words: RegExp): number {
  return new Set((text.match(words) ?? []).map((word) => word.toLowerCase())).size;
}

/** Whether a message in another language reports that a step helped. */
export function foreignOutcome(text: string): Outcome | undefined {
  const language = knownLanguageOf(text);
  if (language === undefined) return undefined;
  const read = text.slice(0, LONGEST_READ);
  if (language.failed.test(read)) return 'did_not_help';
  return language.helped.test(read) ? 'helped' : undefined;
}
