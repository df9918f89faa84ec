import { isObject, isSameJson, type Json, type JsonObject } from './json.ts'
import { placedSteps, stepsInside } from './scopes.ts'
import { isContainer } from './step-kinds.ts'

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
  const problem = problemIn(steps as readonly Json[], 'steps', new Set())
  if (problem !== undefined) return { problem }
  return { ...value, id, label, steps: steps as readonly DraftStep[] }
}

/** The problem of a list of steps: each needs an ID that no other step of the flow has, and a type. */
function problemIn(steps: readonly Json[], place: string, seen: Set<string>): string | undefined {
  for (const [index, step] of steps.entries()) {
    const at = `${place}[${index}]`
    if (!isObject(step)) return `${at} must be an object.`
    const { id, type } = step
    if (typeof id !== 'string' || id === '') return `${at}.id must be a string.`
    if (typeof type !== 'string') return `${at}.type must be a string.`
    if (seen.has(id)) return `${at}.id: "${id}" is used by another step.`
    seen.add(id)
    const inner = step['steps']
    const known = { ...step, id, type }
    const isNested = isContainer(known) ? Array.isArray(inner) : stepsInside(known).length > 0
    const problem = isNested ? problemIn(inner as readonly Json[], `${at}.steps`, seen) : undefined
    if (problem !== undefined) return problem
  }
  return undefined
}

/** The definition with a placeholder label: an unnamed flow can still be checked and tested. */
export function namedForNow(definition: DraftDefinition): DraftDefinition {
  if (definition.id !== '') return definition
  return { ...definition, id: 'draft', label: definition.label === '' ? 'Draft' : definition.label }
}

/** The step with an ID, in any scope. */
export function stepIn({ definition }: FlowDocument, id: string): DraftStep | undefined {
  return placedSteps(definition).get(id)?.step
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
