import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import type { FlowMetadata } from './flow-metadata.ts'

interface Content {
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
}

interface StepMention {
  readonly id: string
  readonly type: Step['type']
  readonly label: string | null
}

/** The differences between two versions of a flow. */
export interface FlowDiff {
  readonly equal: boolean
  /** Fields of the flow itself, `global_configuration` included. */
  readonly flow: FieldChange[]
  readonly metadata: FieldChange[]
  readonly steps: {
    readonly added: StepMention[]
    readonly removed: StepMention[]
    readonly changed: (StepMention & { readonly changes: FieldChange[] })[]
    /** Steps whose position among the common steps changed, from 0. */
    readonly moved: { readonly id: string; readonly from: number; readonly to: number }[]
  }
  /** A summary in plain language, one line per change. */
  readonly summary: string[]
}

/** Compares two versions. Steps with the same id are the same step. */
export function diffFlows(older: Content, newer: Content): FlowDiff {
  const { steps: olderSteps, ...olderFlow } = older.definition
  const { steps: newerSteps, ...newerFlow } = newer.definition
  const before = new Map(olderSteps.map((step) => [step.id, step]))
  const after = new Set(newerSteps.map(({ id }) => id))
  const flow = diffValues(olderFlow, newerFlow)
  const { layout: olderLayout, ...olderMetadata } = older.metadata
  const { layout: newerLayout, ...newerMetadata } = newer.metadata
  const metadata = [...diffValues(olderMetadata, newerMetadata), ...diffLayouts(olderLayout, newerLayout)]
  const steps = {
    added: newerSteps.filter(({ id }) => !before.has(id)).map(mention),
    removed: olderSteps.filter(({ id }) => !after.has(id)).map(mention),
    changed: newerSteps.flatMap((step) => {
      const changes = before.has(step.id) ? diffValues(before.get(step.id), step) : []
      return changes.length === 0 ? [] : [{ ...mention(step), changes }]
    }),
    moved: movedBetween(
      olderSteps.map(({ id }) => id),
      newerSteps.map(({ id }) => id),
    ),
  }
  const summary = [
    ...flow.map((change) => describe(change)),
    ...metadata.map((change) =>
      change.path === 'layout' ? 'The layout on the canvas is different.' : `metadata.${describe(change)}`,
    ),
    ...steps.removed.map(({ id, type }) => `Step "${id}" (${type}) is gone.`),
    ...steps.added.map(({ id, type }) => `Step "${id}" (${type}) is new.`),
    ...steps.changed.flatMap(({ id, changes }) =>
      changes.map((change) => `Step "${id}": ${describe(change)}`),
    ),
    ...steps.moved.map(({ id, from, to }) => `Step "${id}" moved from place ${from + 1} to ${to + 1}.`),
  ]
  return { equal: summary.length === 0, flow, metadata, steps, summary }
}

/** Positions on the canvas are reported as one change: their numbers are of no interest. */
function diffLayouts(older: FlowMetadata['layout'], newer: FlowMetadata['layout']): FieldChange[] {
  if (diffValues(older, newer).length === 0) return []
  return [
    {
      path: 'layout',
      change: older === undefined ? 'added' : newer === undefined ? 'removed' : 'changed',
      old_value: older ?? null,
      new_value: newer ?? null,
    },
  ]
}

function mention({ id, type, label }: Step): StepMention {
  return { id, type, label: label ?? null }
}

function describe({ path, change, old_value: old, new_value: value }: FieldChange): string {
  if (change === 'added') return `${path} is new: ${show(value)}.`
  if (change === 'removed') return `${path} is gone; it was ${show(old)}.`
  return `${path} was ${show(old)} and is ${show(value)}.`
}

const maxShownLength = 80

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}…`
}

interface Move {
  readonly id: string
  readonly from: number
  readonly to: number
}

/** The fewest ids that must have been moved to get from one order to the other. Ids in only one of them do not count. */
function movedBetween(older: readonly string[], newer: readonly string[]): Move[] {
  const kept = new Set(newer)
  const before = new Map(older.filter((id) => kept.has(id)).map((id, place) => [id, place]))
  const order = newer.flatMap((id) => before.get(id) ?? [])
  const ids = [...before.keys()]
  const stayed = new Set(longestRising(order))
  return order.flatMap((from, to) => {
    const id = ids[from]
    return stayed.has(from) || id === undefined ? [] : [{ id, from, to }]
  })
}

/** The longest increasing subsequence; the other ids were moved. */
function longestRising(numbers: readonly number[]): number[] {
  /** For each number the longest increasing subsequence that ends with it: its length, and the index before it. */
  const rows: { readonly length: number; readonly before: number }[] = []
  let last = -1
  for (const [index, number] of numbers.entries()) {
    let row = { length: 1, before: -1 }
    for (let earlier = 0; earlier < index; earlier += 1) {
      const length = (rows[earlier]?.length ?? 0) + 1
      if ((numbers[earlier] ?? 0) < number && length > row.length) row = { length, before: earlier }
    }
    rows.push(row)
    if (row.length > (rows[last]?.length ?? 0)) last = index
  }
  const rising: number[] = []
  for (let at = last; at >= 0; at = rows[at]?.before ?? -1) rising.unshift(numbers[at] ?? 0)
  return rising
}

/** One changed field. */
interface FieldChange {
  /** Such as `conditions[0].value`. */
  readonly path: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Null: it did not exist. */
  readonly old_value: unknown
  /** Null: it was removed. */
  readonly new_value: unknown
}

/** All paths at which two values differ. */
function diffValues(older: unknown, newer: unknown, path = ''): FieldChange[] {
  if (older === newer) return []
  if (older === undefined) return [{ path, change: 'added', old_value: null, new_value: newer }]
  if (newer === undefined) return [{ path, change: 'removed', old_value: older, new_value: null }]
  if (Array.isArray(older) && Array.isArray(newer)) return diffLists(older, newer, path)
  if (isObject(older) && isObject(newer)) {
    const names = new Set([...Object.keys(older), ...Object.keys(newer)])
    return [...names].flatMap((name) =>
      diffValues(own(older, name), own(newer, name), path === '' ? name : `${path}.${name}`),
    )
  }
  return [{ path, change: 'changed', old_value: older, new_value: newer }]
}

/** A changed list of plain values is shown as a whole. */
function diffLists(older: readonly unknown[], newer: readonly unknown[], path: string): FieldChange[] {
  if ([...older, ...newer].some(isInner)) {
    const length = Math.max(older.length, newer.length)
    return Array.from({ length }, (_, index) =>
      diffValues(older[index], newer[index], `${path}[${index}]`),
    ).flat()
  }
  const isSame = older.length === newer.length && older.every((value, index) => value === newer[index])
  return isSame ? [] : [{ path, change: 'changed', old_value: older, new_value: newer }]
}

function isInner(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return isInner(value) && !Array.isArray(value)
}

function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
