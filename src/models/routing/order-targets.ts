import { createHash } from 'node:crypto'
import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import { costOf } from '../prices/cost.ts'
import type { MeasuredTime, ResponseTimes } from './response-times.ts'
import type { RouteDefinition } from './route.ts'

/** A target of a route that the catalogue has. */
export interface RouteTarget {
  readonly entry: CatalogueEntry
  readonly weight: number
}

export interface OrderOptions {
  /** The measured milliseconds of a model; infinite while it is failing, undefined without measurements. */
  readonly measuredMs: (entry: CatalogueEntry) => number | undefined
  /** What `measuredMs` measures. */
  readonly measured: MeasuredTime
  /** From 0 to below 1. */
  readonly random: () => number
  /** Calls of one session get the same target of a weighted route. */
  readonly session?: string | undefined
}

/** The order for a call that is not made: the same each time. */
export function orderWithoutChance(times: Pick<ResponseTimes, 'of'>, session?: string): OrderOptions {
  return {
    measuredMs: (entry) => times.of(entry, 'first_token'),
    measured: 'first_token',
    random: () => 0,
    session,
  }
}

/** The targets in the order they are tried, with the reason of the order for the record of the call. */
export function orderTargets(
  { strategy }: Pick<RouteDefinition, 'strategy'>,
  targets: readonly RouteTarget[],
  options: OrderOptions,
): { readonly entries: readonly CatalogueEntry[]; readonly reason: string } {
  switch (strategy) {
    case 'fallback':
      return { entries: targets.map(({ entry }) => entry), reason: 'the targets in their order' }
    case 'weighted':
      return byWeight(targets, options)
    case 'cheapest': {
      const entries = sortBy(targets, ({ entry }) => priceOf(entry) ?? Number.POSITIVE_INFINITY)
      const [first] = entries
      const price = first && priceOf(first)
      return {
        entries,
        reason:
          price === undefined
            ? 'no target has a known price'
            : `the lowest price: ${price} micro-dollars for a thousand tokens of input and of output`,
      }
    }
    default:
      return bySpeed(targets, options)
  }
}

/** One call in so many tries another target than the fastest, so that the measurements of all stay current. */
const callsForEachTrial = 20

const measuredNames: Readonly<Record<MeasuredTime, string>> = {
  first_token: 'time to the first token',
  response: 'response time',
}

function bySpeed(
  targets: readonly RouteTarget[],
  { measuredMs, measured, random }: OrderOptions,
): { readonly entries: readonly CatalogueEntry[]; readonly reason: string } {
  const entries = sortBy(targets, ({ entry }) => measuredMs(entry) ?? -1)
  const [first] = entries
  const ms = first && measuredMs(first)
  if (ms === undefined) return { entries, reason: 'a target without measurements' }
  if (ms === Number.POSITIVE_INFINITY) return { entries, reason: 'all targets failed recently' }
  const others = entries.slice(1).filter((entry) => measuredMs(entry) !== Number.POSITIVE_INFINITY)
  const trial = others[Math.floor((1 - random()) * callsForEachTrial * others.length)]
  if (trial !== undefined) {
    return {
      entries: [trial, ...entries.filter((entry) => entry !== trial)],
      reason: `one call in ${callsForEachTrial} measures another target than the fastest`,
    }
  }
  return { entries, reason: `the shortest ${measuredNames[measured]}: ${Math.round(ms)} ms` }
}

function sortBy(
  targets: readonly RouteTarget[],
  valueOf: (target: RouteTarget) => number,
): readonly CatalogueEntry[] {
  return targets.toSorted((left, right) => compare(valueOf(left), valueOf(right))).map(({ entry }) => entry)
}

/** Equal infinities are equal; their difference is not a number. */
function compare(left: number, right: number): number {
  return left === right ? 0 : left - right
}

/** Micro-dollars for a thousand input and a thousand output tokens; undefined when the model is unpriced. */
export function priceOf({ price }: CatalogueEntry): number | undefined {
  const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 1000 }
  return costOf(price, usage) ?? undefined
}

function byWeight(targets: readonly RouteTarget[], { random, session }: OrderOptions) {
  const total = targets.reduce((sum, { weight }) => sum + weight, 0)
  let point = (session === undefined ? random() : fractionOf(session)) * total
  const chosen =
    targets.find(({ weight }) => {
      point -= weight
      return weight > 0 && point < 0
    }) ?? targets[0]
  const rest = targets.filter((target) => target !== chosen)
  const share = total === 0 || chosen === undefined ? 0 : Math.round((100 * chosen.weight) / total)
  return {
    entries: [...(chosen === undefined ? [] : [chosen]), ...rest].map(({ entry }) => entry),
    reason: `weight ${share} %${session === undefined ? '' : ', the same for all calls of the session'}`,
  }
}

/** A number from 0 to 1 that is the same for the same text. */
function fractionOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32
}
