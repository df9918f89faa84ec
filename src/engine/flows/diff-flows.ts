import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import { diffValues, type FieldChange } from './diff-values.ts'
import type { FlowMetadata } from './flow-metadata.ts'
import { movedBetween } from './moved-between.ts'

interface Content {
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
}

interface StepMention {
  readonly id: string
  readonly type: Step['type']
  readonly label: string | null
}

/** What is different between two versions of a flow. */
export interface FlowDiff {
  readonly equal: boolean
  /** Fields of the flow itself, `global_configuration` included. */
  readonly flow: FieldChange[]
  readonly metadata: FieldChange[]
  readonly steps: {
    readonly added: StepMention[]
    readonly removed: StepMention[]
    readonly changed: (StepMention & { readonly changes: FieldChange[] })[]
    /** Steps that stand elsewhere among those that stayed, counted from 0. */
    readonly moved: { readonly id: string; readonly from: number; readonly to: number }[]
  }
  /** The same for people, a line for each. */
  readonly summary: string[]
}

/** Compares two versions. Steps are the same when they have the same id. */
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

/** Places on a canvas as one change: nobody reads them as numbers. */
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

const longestShown = 80

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= longestShown ? text : `${text.slice(0, longestShown)}…`
}
