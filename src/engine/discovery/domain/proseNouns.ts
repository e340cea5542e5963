import { fence } from "../commands/documentSections.ts"
import { singular } from "./Noun.ts"

const MAX_LETTERS = 60_000
const MIN_MENTIONS = 3
const MIN_SHARE_OF_NEXT = 0.6

/** What stands before a noun, at most one word apart: "a new game", "each of its boards". */
const isDeterminer =
  /^(?:an?|the|each|every|this|that|these|those|your|its|their|his|our|all|any|some|no|multiple|many|several|one|two|three|new|of|per|another|which|what|existing|given|individual|single|current|selected|different|custom)$/

/** What stands before a verb, and before few nouns. */
const isBeforeVerb = /^(?:to|will|can|cannot|not|you|we|they|may|should|must|would|could|then|please|don't|who)$/

/** Words without a meaning of their own, and verbs and adjectives that manuals use as if they were nouns. */
const isEmpty =
  /^(?:a|all|also|and|are|any|but|can|did|do|doe|each|else|etc|few|for|from|get|give|given|had|ha|hav|have|he|her|here|hi|him|how|if|in|into|it|its|last|let|like|make|many|may|more|most|much|must|need|next|none|not|now|off|old|on|one|only|or|other|our|out|over|own|per|provide|same|see|set|several|she|should|so|some|such|than|that|the|their|them|then|there|these|they|thi|this|those|to|too|two|under|until|up|upon|use|used|user|using|very|via|want|wa|was|way|we|well|were|what|when|where|whether|which|while|who|whose|why|will|with|without|work|would|yet|you|your|above|after|again|almost|along|already|always|another|anything|available|back|basic|because|before|being|below|best|better|between|bit|both|call|case|certain|change|come|common|complete|current|currently|custom|default|different|easy|end|enough|even|every|everything|example|exist|existing|fast|find|first|following|full|further|general|good|great|help|high|however|idea|instead|international|just|kind|know|known|large|less|long|longer|look|lot|low|main|maybe|mean|minor|modern|multiple|name|native|neither|never|new|normal|note|nothing|number|optional|order|original|part|particular|pass|perform|place|plain|please|point|possible|powerful|present|previous|private|problem|public|purpose|question|quick|quite|rather|read|real|reason|require|required|right|run|running|say|second|section|show|similar|simple|since|single|size|small|something|sort|special|specific|standard|start|step|still|stop|sure|take|thank|thing|third|though|three|through|thus|time|today|together|try|turn|type|understand|usage|useful|usual|usually|value|variety|various|whole|wide|within|word|world|write|written|year|zero|advantage|amount|answer|approach|aspect|basis|behavior|behaviour|benefit|choice|collection|combination|comparison|convention|copy|couple|course|degree|detail|difference|effort|effect|extra|fact|fashion|form|goal|hand|herein|level|limit|limitation|majority|manner|matter|moment|pair|phase|possibility|practice|priority|range|rest|result|role|sake|sense|side|sign|situation|subset|term|top|total|trouble|true|false|null|view|warranty|workaround|print|sample|demo|tip|fun|speed|performance|accuracy|efficiency|quality|compatibility|reference|alternative|replacement|overview|introduction|feature|caveat|advance|advice|attempt|attention|experience|interest|knowledge|thought|hope|desire|wish|guess|handle|allow|enable|support|include|contain|create|add|remove|delete|update|convert|edit|display|exit|return|match|search|check|compare|save|load|open|close|generate|format|parse|process|exec|execute|insert|append|replace|move|sync|count|once|exclude|ignore|failure|success|def|subcommand|free|send|receive|connect|register|legacy|retry|reset|select|apply|assume|deal|hidden)$/

/** How software is made, shipped and spoken of, whatever it is about. */
const isOfSoftware =
  /^(?:args|arg|path|line|text|string|flag|parameter|setting|configuration|config|program|app|tool|library|version|release|source|code|method|script|binary|executable|build|installation|install|testing|debug|debugging|bug|fix|error|warning|output|input|data|information|info|documentation|doc|readme|manual|license|licence|copyright|author|changelog|system|platform|computer|memory|cpu|daemon|api|interface|implementation|language|python|perl|ruby|rubie|java|javascript|typescript|nodej|php|rust|golang|go|shell|bash|zsh|linux|unix|windows|mac|macos|freebsd|debian|ubuntu|fedora|gnome|kde|qt|gtk|glib|posix|homepage|website|site|web|url|uri|github|gitlab|git|pull|contribution|contributor|developer|maintainer|community|mailing|irc|forum|console|dialog|gui|cli|width|height|length|char|index|id|identifier|description|desc|summary|header|footer|body|content|map|dictionary|dict|hash|logging|mode|state|status|callback|handler|requirement|spec|protocol|socket|http|https|json|xml|yaml|toml|html|cs|css|sql|csv|utf|ascii|unicode|regex|regexp|style|byte|integer|int|float|double|bool|boolean|constant|root|parent|child|children|environment|env|framework|engine|core|runtime|compiler|interpreter|parser|wrapper|binding|makefile|cmake|meson|gcc|clang|pip|npm|apt|docker|prefix|suffix|syntax|constructor|pointer|namespace|struct|enum|iterator|generator|definition|declaration|performance|benchmark|loop|timeout|interval|exception|stdin|stdout|stderr|prompt|tab|toolbar|encoding|frontend|middleware|utility|util|helper|suite|usage|default|public|db|pid|proc|hardware|procedure|routine|controller|scope|application|widget|button|file|folder|command|directory|option|argument|character|column|row|stack|array|buffer|cache|log|hook|addon|specification|structure|pipe|cursor|locale|signal|operation|function|instance|class|list|item|entry|test|menu|title|object|element|block|field|mysql|redis|sqlite|postgresql|pdf|tls|ssl|dns|ssh|ldap|ftp|completion|autocompletion|timestamp)$/

/** What nearly every program has something to do with: only where its documents and its code speak of little else. */
const isCommon =
  /^(?:issue|repository|repo|branch|commit|queue|dependency|macro|lock|kernel|password|permission|variable|window|screen|comment)$/

/** What the program is about, or how it is made: only where much is said of it and named after it. */
const isGeneral =
  /^(?:package|project|module|document|page|table|machine|server|client|network|thread|disk|node|terminal|key|action|event|plugin|plug-in|extension|component|connection|port|color|colour|font|theme|container|pattern|expression|template|operator|property|attribute|algorithm|stream|keyboard|mouse|layout|translation|backend|service|task|target|rule|filter|unit|database|process|driver|transaction|query|request|response|link|image|user|group|mail|email|tree|message|metric|host|address|device|session|record|model|view|picture|icon|sequence|context|token|frame|packet|label|tag|note|point)$/

const generalityOf = (key: string): ProseNoun["generality"] => (isCommon.test(key) ? 2 : isGeneral.test(key) ? 1 : 0)

/** How far a word may be about how programs are made; null where it is, or where it has no meaning of its own. */
export const generalityOfNoun = (key: string): ProseNoun["generality"] | null =>
  isEmpty.test(key) || isOfSoftware.test(key) ? null : generalityOf(key)

const sections =
  /\b(?:install\w*|build\w*|compil\w*|licen[sc]\w*|copyright|contribut\w*|credits?|authors?|acknowledg\w*|thanks?|change\w*|download\w*|requirements?|depend\w*|develop\w*|tests?|testing|packag\w*|support\w*|bugs?|releas\w*|docker|debug\w*|donat\w*|contact|faq|news|history|see also|environment|toc|contents)\b/i

/** The prose of a document: no code, no addresses, no sections that are about how software is made and shipped. */
const proseOf = (text: string): string => {
  const kept: Array<string> = []
  let isCode = false
  let isOther = false
  for (const line of text.slice(0, MAX_LETTERS).split("\n")) {
    if (fence.test(line)) isCode = !isCode
    const heading = /^(?:#{1,4}\s+(\S.{0,80})|([A-Z][A-Z /]{2,40})$)/.exec(line)
    if (heading !== null && !isCode) isOther = sections.test(heading[1] ?? heading[2]!)
    if (!isCode && !isOther) kept.push(line)
  }
  return kept
    .join("\n")
    .replace(/<[^<>]{1,300}>|`[^`\n]{1,200}`/g, " _ ")
    .replace(/\]\([^()\n]{0,300}\)|https?:[^\s)]{1,300}/g, " ")
}

export interface ProseNoun {
  /** The form in which it is written most. */
  readonly written: string
  /** How often it is used as a noun: after "a", "the", "each", or in the plural. */
  readonly mentions: number
  /** 1 where it may be a matter of how the program is made, 2 where it mostly is. */
  readonly generality: 0 | 1 | 2
}

interface Counted {
  nouns: number
  verbs: number
  all: number
  /** What comes right after it: "rate limit". */
  readonly next: Map<string, number>
  /** In capitals, or with one in the middle of a sentence. */
  names: number
  readonly forms: Map<string, number>
}

const isNounAt = (words: ReadonlyArray<string>, at: number): boolean => {
  const before = words[at - 1] ?? ""
  if (isDeterminer.test(before)) return true
  return isDeterminer.test(words[at - 2] ?? "") && /^[a-z]+$/.test(before) && !isBeforeVerb.test(before)
}

/** Acronyms are names of standards and formats; what has a capital after a word in small letters is the name of one thing. */
const isName = (word: string, before: string): boolean =>
  /^[A-Z]{2,}s?$/.test(word) || (/^[A-Z]/.test(word) && /^[a-z]/.test(before))

const countOf = (counts: Map<string, Counted>, key: string): Counted => {
  const known = counts.get(key) ?? {
    nouns: 0,
    verbs: 0,
    all: 0,
    next: new Map<string, number>(),
    names: 0,
    forms: new Map<string, number>()
  }
  counts.set(key, known)
  return known
}

const increment = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

const countIn = (counts: Map<string, Counted>, written: ReadonlyArray<string>): void => {
  const words = written.map((word) => word.toLowerCase())
  for (const [at, word] of words.entries()) {
    if (word.length < 3) continue
    const key = singular(word)
    const known = countOf(counts, key)
    const before = words[at - 1] ?? ""
    known.all++
    increment(known.next, words[at + 1] ?? "_")
    increment(known.forms, word)
    if (isName(written[at]!, written[at - 1] ?? "")) known.names++
    const isPlural = word !== key && !/^(?:it|that|which|who|_|and|program|\))$/.test(before)
    if (isBeforeVerb.test(before)) known.verbs++
    else if (isPlural || isNounAt(words, at)) known.nouns++
  }
}

/** What mostly stands before one and the same other noun is a part of that one's name: "rate limit". */
const isModifier = ({ next, all }: Counted): boolean => {
  const [word, count] = [...next].reduce((best, one) => (one[1] > best[1] ? one : best), ["_", 0])
  return count > 1 && count > MIN_SHARE_OF_NEXT * all && /^[a-z]{3,}$/.test(word) && !isEmpty.test(word)
}

const isNoun = (key: string, counted: Counted, least: number): boolean =>
  !isModifier(counted) && isUsedAsNoun(key, counted, least)

const isUsedAsNoun = (key: string, { nouns, verbs, all, names }: Counted, least: number): boolean =>
  nouns >= least &&
  verbs <= nouns &&
  names * 2 < all &&
  !isEmpty.test(key) &&
  !isOfSoftware.test(key) &&
  !/(?:ing|ly|able|ible|ed|ful|ous|est|ive)$/.test(key)

/** Words by their singular that texts use as nouns, at least so often. */
export const proseNouns = (texts: ReadonlyArray<string>, least = MIN_MENTIONS): ReadonlyMap<string, ProseNoun> => {
  const counts = new Map<string, Counted>()
  for (const text of texts)
    countIn(
      counts,
      [...proseOf(text).matchAll(/[A-Za-z]{1,40}|[_.,;:!?()]/g)].map(([word]) => word)
    )
  return new Map(
    [...counts].flatMap(([key, counted]) => {
      if (!isNoun(key, counted, least)) return []
      const { nouns: mentions, forms } = counted
      // A word that is never written without its last letter ends in it: "btrfs", "statistics".
      const written = forms.has(key) ? key : [...forms].sort((a, b) => b[1] - a[1])[0]![0]
      return [[key, { written, mentions, generality: generalityOf(key) }] as const]
    })
  )
}
