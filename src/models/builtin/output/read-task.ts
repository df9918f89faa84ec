/** The parts of the analysis that can be requested. */
export const taskNames = [
  'summary',
  'key_phrases',
  'language',
  'readability',
  'sentiment',
  'seo',
  'structure',
] as const

export type TaskName = (typeof taskNames)[number]

/** The requested parts of the analysis; all parts without names. */
export interface Task {
  readonly names: readonly TaskName[]
  /** The number of summary sentences or key phrases. */
  readonly limit: number | undefined
  /** The keyword for the SEO checks. */
  readonly keyword: string | undefined
}

/** An instruction and the text after it, which may be empty. */
export interface Instruction {
  readonly task: Task
  readonly text: string
}

const taskWords: Readonly<Record<TaskName, readonly string[]>> = {
  summary: ['summarise', 'summarize', 'summary', 'tldr'],
  key_phrases: ['keywords', 'keyphrases', 'topics'],
  language: ['language'],
  readability: ['readability'],
  sentiment: ['sentiment'],
  seo: ['seo'],
  structure: ['structure', 'outline'],
}

const everythingWords = new Set(['analyse', 'analyze', 'analysis', 'report'])

/** Further words of instructions. A message with any other word is a text. */
const instructionWords = new Set(
  (
    'please can could you would i want need me us give show tell list find extract get make write create do check detect ' +
    'identify determine what which is are who how a an the this that these following below text texts article page document ' +
    'content passage message post paragraph story email of in for from on about its it and to with as by short brief main ' +
    'most important top best at up sentence sentences words points only just score written'
  ).split(' '),
)

const numberWords = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const maxInstructionLength = 200
const maxLimit = 20

const keywordClause =
  /\b(?:for|with|on|about)?\s*(?:the\s+)?(?:keyword|key phrase|keyphrase)s?\s*["“'«](?<keyword>[^"”'»\n]{1,100})["”'»]/i

/**
 * Reads an instruction at the start of a message, up to the first colon or line end: "Summarise the following text in 2
 * sentences: …". Undefined when the message does not start with one.
 */
export function readInstruction(message: string): Instruction | undefined {
  const start = message.trimStart()
  const head = start.slice(0, maxInstructionLength + 1)
  const end = head.search(/[:\n]/)
  if (end < 0 && start.length > maxInstructionLength) return undefined
  const task = readTask(end < 0 ? head : head.slice(0, end))
  return task && { task, text: end < 0 ? '' : start.slice(end + 1).trim() }
}

/** The task in the first sentence of a system prompt. */
export function readSystemTask(prompt: string): Task | undefined {
  return readTask(/^[^.:!?\n]{0,200}/.exec(prompt.trimStart())?.[0] ?? '')
}

function readTask(sentence: string): Task | undefined {
  const keyword = keywordClause.exec(sentence)?.groups?.['keyword']
  const words = sentence
    .replace(keywordClause, ' ')
    .toLowerCase()
    .replaceAll(/key[ -]?(?:phrases|words|terms)|key[ -]?phrase\b/g, 'keywords')
    .replaceAll(/tl;?dr/g, 'tldr')
    .match(/[\p{L}\p{N}]+/gu)
  if (words === null) return undefined
  const names = taskNames.filter((name) => taskWords[name].some((word) => words.includes(word)))
  const limit = words.map(numberIn).find((number) => number !== undefined)
  const known = words.every(
    (word) =>
      instructionWords.has(word) ||
      everythingWords.has(word) ||
      numberIn(word) !== undefined ||
      names.some((name) => taskWords[name].includes(word)),
  )
  const asks = names.length > 0 || words.some((word) => everythingWords.has(word))
  return known && asks ? { names, limit, keyword } : undefined
}

function numberIn(word: string): number | undefined {
  const spelled = numberWords.indexOf(word) + 1
  const number = spelled > 0 ? spelled : /^\d{1,3}$/.test(word) ? Number(word) : 0
  return number > 0 ? Math.min(number, maxLimit) : undefined
}
