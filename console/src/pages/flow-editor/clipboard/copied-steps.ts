import {
  type DraftStep,
  type FlowDocument,
  type Place,
  placesIn,
  readDefinition,
} from '../document/flow-document.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { allSteps, placedSteps } from '../document/scopes.ts'

/** Copied steps with their positions. */
export interface CopiedSteps {
  readonly steps: readonly DraftStep[]
  /** The manual positions of the steps. */
  readonly places: ReadonlyMap<string, Place>
}

/** The offset of copies from their originals, so that both are visible. */
const aside = 32

/** The steps with these IDs, in the order of the flow. */
export function copySteps(document: FlowDocument, ids: readonly string[]): CopiedSteps {
  const wanted = new Set(ids)
  const placed = [...placedSteps(document.definition).values()]
  // The steps inside of a copied container are copied with it.
  const copied = placed.filter(
    ({ step, around }) => wanted.has(step.id) && !around.some(({ id }) => wanted.has(id)),
  )
  const steps = copied.map(({ step }) => step)
  const all = new Set(allSteps(steps).map(({ id }) => id))
  return {
    steps,
    places: new Map([...placesIn(document)].filter(([id]) => all.has(id))),
  }
}

/** The positions with the offset of copies. */
export function movedAside(places: CopiedSteps['places']): CopiedSteps['places'] {
  return new Map([...places].map(([id, { x, y }]) => [id, { x: x + aside, y: y + aside }]))
}

/** Serialises steps to a text that every flow editor can paste. */
export function writeSteps({ steps, places }: CopiedSteps): string {
  return JSON.stringify({ tutti: 'steps', steps, layout: Object.fromEntries(places) }, null, 2)
}

/**
 * Parses steps from a text: copied steps, one step, a list of steps, or a whole flow. Returns the problem of any other
 * text.
 */
export function readSteps(text: string): CopiedSteps | { readonly problem: string } {
  if (text.trim() === '') return { problem: 'The clipboard contains no text.' }
  const found = stepsWithin(parse(text))
  if (found === null) return { problem: 'The clipboard contains neither steps nor a workflow.' }
  if (found.steps.length === 0) return { problem: 'The workflow on the clipboard has no steps.' }
  const read = readDefinition({ steps: found.steps })
  if (!('steps' in read)) return { problem: asText(read.problem) }
  const { steps } = read
  const known = new Set(allSteps(steps).map(({ id }) => id))
  const places = placesIn({ definition: read, metadata: { layout: found.layout } })
  return { steps, places: new Map([...places].filter(([id]) => known.has(id))) }
}

function asText(problem: Json | undefined): string {
  return typeof problem === 'string' ? problem : ''
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function stepsWithin(value: Json | undefined): { steps: readonly Json[]; layout: JsonObject } | null {
  if (Array.isArray(value)) return { steps: value as readonly Json[], layout: {} }
  if (!isObject(value)) return null
  const { flow_definition: definition, metadata, steps, layout } = value
  if (isObject(definition)) {
    const places = isObject(metadata) ? metadata['layout'] : undefined
    return stepsWithin({ ...definition, layout: places ?? {} })
  }
  if (Array.isArray(steps)) {
    return { steps: steps as readonly Json[], layout: isObject(layout) ? layout : {} }
  }
  return typeof value['type'] === 'string' ? { steps: [value], layout: {} } : null
}
