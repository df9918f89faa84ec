import { isObject, isSameJson, type Json, type JsonObject } from './json.ts'

/** The position of a step on the canvas. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** The fields that every step type has; type-specific fields are read where they are used. */
export interface DraftStep extends JsonObject {
  readonly id: string
  readonly type: string
}

/** The definition of a draft: it has steps, and is otherwise valid or not. */
export interface DraftDefinition extends JsonObject {
  readonly id: string
  readonly label: string
  readonly steps: readonly DraftStep[]
}

export interface FlowDocument {
  readonly definition: DraftDefinition
  /** Metadata for people. `layout` has the positions of steps. */
  readonly metadata: JsonObject
}

export const emptyDocument: FlowDocument = {
  definition: { id: '', label: '', steps: [] },
  metadata: {},
}

export function isSameDocument(left: FlowDocument, right: FlowDocument): boolean {
  return isSameJson(left.definition, right.definition) && isSameJson(left.metadata, right.metadata)
}

/** Reads a definition from outside; returns the problem that prevents editing it as steps. */
export function readDefinition(value: Json): DraftDefinition | { readonly problem: string } {
  if (!isObject(value)) return { problem: 'A workflow must be a JSON object in braces.' }
  const { id = '', label = '', steps = [] } = value
  if (typeof id !== 'string') return { problem: 'id must be a string.' }
  if (typeof label !== 'string') return { problem: 'label must be a string.' }
  if (!Array.isArray(steps)) return { problem: 'steps must be an array.' }
  const seen = new Set<string>()
  for (const [index, step] of (steps as readonly Json[]).entries()) {
    if (!isObject(step)) return { problem: `steps[${index}] must be an object.` }
    const { id: name, type } = step
    if (typeof name !== 'string' || name === '') return { problem: `steps[${index}].id must be a string.` }
    if (typeof type !== 'string') return { problem: `steps[${index}].type must be a string.` }
    if (seen.has(name)) return { problem: `steps[${index}].id: "${name}" is used by another step.` }
    seen.add(name)
  }
  return { ...value, id, label, steps: steps as readonly DraftStep[] }
}

/** The definition with a placeholder label: an unnamed flow can still be checked and tested. */
export function namedForNow(definition: DraftDefinition): DraftDefinition {
  if (definition.id !== '') return definition
  return { ...definition, id: 'draft', label: definition.label === '' ? 'Draft' : definition.label }
}

export function stepIn({ definition }: FlowDocument, id: string): DraftStep | undefined {
  return definition.steps.find((step) => step.id === id)
}

/** The display name of a step. */
export function nameOf({ id, label }: DraftStep): string {
  return typeof label === 'string' && label !== '' ? label : id
}

/** The manual positions of steps; the other steps are laid out. */
export function placesIn({ metadata }: FlowDocument): ReadonlyMap<string, Place> {
  const layout = isObject(metadata['layout']) ? metadata['layout'] : {}
  return new Map(
    Object.entries(layout).flatMap(([id, place]) => {
      if (!isObject(place)) return []
      const { x, y } = place
      return typeof x === 'number' && typeof y === 'number' ? [[id, { x, y }] as const] : []
    }),
  )
}

export function withPlaces(document: FlowDocument, places: ReadonlyMap<string, Place>): FlowDocument {
  const { layout: _, ...metadata } = document.metadata
  if (places.size === 0) return { ...document, metadata }
  const layout = Object.fromEntries([...places].map(([id, { x, y }]) => [id, { x, y }]))
  return { ...document, metadata: { ...metadata, layout } }
}
