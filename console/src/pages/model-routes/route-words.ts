import type { Tone } from '../../parts/Status.tsx'
import type { Explanation, RouteDefinition, Strategy } from './route-queries.ts'

/** The strategies in the order they are offered. */
export const strategies: ReadonlyArray<{
  readonly name: Strategy
  readonly title: string
  readonly about: string
}> = [
  {
    name: 'fallback',
    title: 'Fallback',
    about: 'Tries the targets in their order. With one target, the route is an alias.',
  },
  {
    name: 'weighted',
    title: 'Weighted',
    about:
      'Chooses one target by chance, in proportion to the weights; the others are fallbacks. Calls of one session get the same target.',
  },
  {
    name: 'cheapest',
    title: 'Cheapest',
    about: 'Tries the lowest price first, and targets of unknown price last.',
  },
  {
    name: 'fastest',
    title: 'Fastest',
    about: 'Tries the shortest measured time to the first token first.',
  },
]

/** The display name of a strategy. */
export function describeStrategy(strategy: Strategy): string {
  return strategies.find(({ name }) => name === strategy)?.title ?? strategy
}

const maxListed = 3

/** The targets in short: `gemma3:4b, gpt-4o-mini and 2 more`. */
export function listTargets(targets: RouteDefinition['targets']): string {
  const listed = targets.slice(0, maxListed).map(({ model }) => model)
  const more = targets.length - listed.length
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** The strategy with all targets: `Weighted: gemma3:4b (3), gpt-4o-mini (1)`. */
export function describeDefinition({
  strategy,
  targets,
}: Pick<RouteDefinition, 'strategy' | 'targets'>): string {
  const listed = targets.map(({ model, weight = 1 }) =>
    strategy === 'weighted' ? `${model} (${weight})` : model,
  )
  return `${describeStrategy(strategy)}: ${listed.join(', ')}`
}

/** A route among models, marked as one: `Route, weighted: gemma3:4b, gpt-4o-mini`. */
export function describeRoute({ strategy, targets }: Pick<RouteDefinition, 'strategy' | 'targets'>): string {
  return `Route, ${describeStrategy(strategy).toLowerCase()}: ${listTargets(targets)}`
}

/** How often a target is tried again. */
export function describeRetries(retries: number | undefined): string {
  return retries === undefined ? 'Default' : String(retries)
}

/** What a call does with a candidate, by its place. */
export function describeCandidate(
  { state }: Pick<Explanation['candidates'][number], 'state'>,
  index: number,
): { tone: Tone; word: string } {
  if (state === 'excluded') return { tone: 'warn', word: 'Skipped' }
  return index === 0 ? { tone: 'good', word: 'Tried first' } : { tone: 'idle', word: 'Fallback' }
}

/** A text of the server as a sentence. */
export function asSentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
