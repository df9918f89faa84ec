import type { RoutingOption } from './offered-options.ts'

/** What is said for an option. */
interface ScoredOption {
  readonly option: RoutingOption
  readonly score: number
  /** Words of its name and reason that stand in the answer. */
  readonly found: readonly string[]
}

export interface Scored {
  readonly best: RoutingOption
  /** The share of the best in the scores of the two best: 0.5 when nothing speaks for one rather than the other. */
  readonly confidence: number
  readonly reasoning: string
}

const smallWords = new Set(
  'and are but for from has have into its not only other should than that the them then there they this too use was when which will with'.split(
    ' ',
  ),
)
/** More than all words together. */
const conditionCounts = 2
const mostRead = 200_000
/** Words that begin with the same letters are taken for the same: negative, negatively. */
const stemLetters = 6

/**
 * Chooses without a language model, and so that everybody can follow it. For each option
 *
 * | what                                                          | counts        |
 * |---------------------------------------------------------------|---------------|
 * | it has a condition, and it holds                              | 2             |
 * | words of its name and reason that stand in the answer         | their share   |
 *
 * The highest sum is chosen, the first of those that are equal.
 */
export function scoreOptions(options: readonly [RoutingOption, ...RoutingOption[]], answer: string): Scored {
  const stems = new Set(wordsOf(answer.slice(0, mostRead)).map(stemOf))
  const scored = options.map((option) => scoreOf(option, stems))
  const ranked = scored.toSorted((left, right) => right.score - left.score)
  const [first, second] = ranked
  const best = first?.option ?? options[0]
  const [most, next] = [first?.score ?? 0, second?.score ?? 0]
  return {
    best,
    confidence: most + next === 0 ? 0.5 : Math.round((most / (most + next)) * 100) / 100,
    reasoning: `Chosen without a language model, by conditions that hold and words found in the answer: ${ranked.map(describe).join('; ')}.`,
  }
}

function scoreOf(option: RoutingOption, stems: ReadonlySet<string>): ScoredOption {
  const words = [...new Set(wordsOf(`${option.name.replaceAll(/[_-]/g, ' ')} ${option.reason}`))]
  const found = words.filter((word) => stems.has(stemOf(word)))
  const share = words.length === 0 ? 0 : found.length / words.length
  return { option, score: (option.condition === undefined ? 0 : conditionCounts) + share, found }
}

function describe({ option: { name, condition }, score, found }: ScoredOption): string {
  const because = [condition, ...(found.length === 0 ? [] : [found.join(', ')])].filter(
    (it) => it !== undefined,
  )
  return `${name} ${score.toFixed(2)}${because.length === 0 ? '' : ` (${because.join('; ')})`}`
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}[\p{L}\p{N}]{2,40}/gu) ?? []).filter((word) => !smallWords.has(word))
}

function stemOf(word: string): string {
  return word.slice(0, stemLetters)
}
