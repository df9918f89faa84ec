import { inCondition } from '../../definition/kinds/used-paths.ts'
import type { AiPromptStep } from '../../definition/step-types.ts'
import { describeTest } from '../../expressions/conditions.ts'

type Written = NonNullable<AiPromptStep['routing_options']>[string]

/** An option that can be chosen. */
export interface RoutingOption {
  readonly name: string
  readonly reason: string
  readonly adds: readonly string[]
  readonly continuesTo: string | undefined
  /** The condition that is true, when the option has one. */
  readonly condition: string | undefined
}

/** The options without a condition or with one that is true, in the order of the definition. Throws what `holds` throws. */
export async function offeredOptions(
  options: Readonly<Record<string, Written>>,
  holds: (condition: NonNullable<Written['condition']>) => Promise<boolean>,
): Promise<RoutingOption[]> {
  const offered: RoutingOption[] = []
  for (const [name, { add_steps = [], condition, continue_to, reason = '' }] of Object.entries(options)) {
    if (condition !== undefined && !(await holds(condition))) continue
    const text = condition === undefined ? undefined : describeTest(condition)
    offered.push({ name, reason, adds: add_steps, continuesTo: continue_to, condition: text })
  }
  return offered
}

/** The paths used by the conditions of options. */
export function conditionPaths(options: Readonly<Record<string, Written>>): string[] {
  return Object.values(options).flatMap(({ condition }) =>
    condition === undefined ? [] : inCondition(condition, '').map(({ path }) => path),
  )
}

/** The score of an option. */
interface ScoredOption {
  readonly option: RoutingOption
  readonly score: number
  /** Words of its name and reason that occur in the response. */
  readonly found: readonly string[]
}

interface Scored {
  readonly best: RoutingOption
  /** The best score as a share of the two best scores together: 0.5 when both are equal. */
  readonly confidence: number
  readonly reasoning: string
}

const smallWords = new Set(
  'and are but for from has have into its not only other should than that the them then there they this too use was when which will with'.split(
    ' ',
  ),
)
/** More than the maximum for words. */
const conditionScore = 2
const maxRead = 200_000
/** Words with the same first letters count as equal: negative, negatively. */
const stemLetters = 6

/**
 * Chooses an option without a language model, by a score that is easy to verify.
 *
 * | an option                                                     | scores        |
 * |---------------------------------------------------------------|---------------|
 * | has a condition, which is true                                | 2             |
 * | has words in its name and reason that occur in the response   | their share   |
 *
 * The option with the highest score is chosen, the first one of equal options.
 */
export function scoreOptions(
  options: readonly [RoutingOption, ...RoutingOption[]],
  response: string,
): Scored {
  const stems = new Set(wordsOf(response.slice(0, maxRead)).map(stemOf))
  const scored = options.map((option) => scoreOf(option, stems))
  const ranked = scored.toSorted((left, right) => right.score - left.score)
  const [first, second] = ranked
  const best = first?.option ?? options[0]
  const [highest, next] = [first?.score ?? 0, second?.score ?? 0]
  return {
    best,
    confidence: highest + next === 0 ? 0.5 : Math.round((highest / (highest + next)) * 100) / 100,
    reasoning: `Chosen without a language model, by true conditions and words found in the response: ${ranked.map(describeScore).join('; ')}.`,
  }
}

function scoreOf(option: RoutingOption, stems: ReadonlySet<string>): ScoredOption {
  const words = [...new Set(wordsOf(`${option.name.replaceAll(/[_-]/g, ' ')} ${option.reason}`))]
  const found = words.filter((word) => stems.has(stemOf(word)))
  const share = words.length === 0 ? 0 : found.length / words.length
  return { option, score: (option.condition === undefined ? 0 : conditionScore) + share, found }
}

function describeScore({ option: { name, condition }, score, found }: ScoredOption): string {
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
