import { type DraftEdge, stepsBefore } from './edges.ts'
import {
  type DraftDefinition,
  type DraftStep,
  type FlowDocument,
  type Place,
  placesIn,
  stepIn,
  withPlaces,
} from './flow-document.ts'
import { isSameJson, type Json, type JsonPath, valueAt, withValueAt } from './json.ts'
import { referencesOf, withoutMentions, withRenamed } from './references.ts'
import {
  allSteps,
  mapSteps,
  placeOfStep,
  type Scope,
  scopeOf,
  stepsInside,
  stepsOf,
  withStepsOf,
} from './scopes.ts'
import { freeId } from './step-kinds.ts'
import { withStepPathsRenamed } from './step-paths.ts'

/** Every edit of a flow. Each takes a document and returns the changed one, or the same document without a change. */

export function setFlowValue(document: FlowDocument, path: JsonPath, value: Json | undefined): FlowDocument {
  return { ...document, definition: withValueAt(document.definition, path, value) }
}

/** Replaces the definition by one written as code. A step that was only renamed keeps its position. */
export function replaceDefinition(document: FlowDocument, definition: DraftDefinition): FlowDocument {
  const before = document.definition.steps
  const { steps } = definition
  const changed = { ...document, definition }
  if (before.length !== steps.length) return changed
  const known = new Set(steps.map(({ id }) => id))
  const places = placesIn(document)
  const moved = before.flatMap(({ id }, index) => {
    const place = places.get(id)
    const now = steps[index]?.id
    return place === undefined || now === undefined || known.has(id) ? [] : [{ id, now, place }]
  })
  if (moved.length === 0) return changed
  const gone = new Set(moved.map(({ id }) => id))
  const kept = [...places].filter(([id]) => !gone.has(id))
  return withPlaces(changed, new Map([...moved.map(({ now, place }) => [now, place] as const), ...kept]))
}

export function setMetadataValue(
  document: FlowDocument,
  path: JsonPath,
  value: Json | undefined,
): FlowDocument {
  return { ...document, metadata: withValueAt(document.metadata, path, value) }
}

export function setStepValue(
  document: FlowDocument,
  id: string,
  path: JsonPath,
  value: Json | undefined,
): FlowDocument {
  return changeStep(document, id, (step) => withValueAt(step, path, value))
}

interface Where {
  /** The step that the new one depends on, in the same scope. */
  readonly after?: string | undefined
  /** The scope of the new step, where it depends on none. Default: the flow itself. */
  readonly within?: Scope | undefined
  readonly place?: Place | undefined
}

/** Adds a step at the end of its scope. */
export function addStep(
  document: FlowDocument,
  step: DraftStep,
  { after, within = null, place }: Where = {},
): FlowDocument {
  const added = after === undefined ? step : { ...step, dependencies: [after] }
  const scope = after === undefined ? within : scopeOf(document, after)
  const changed = withStepsOf(document, scope, (steps) => [...steps, added])
  return place === undefined ? changed : placeSteps(changed, new Map([[step.id, place]]))
}

/** Removes steps, with those inside of them, and all references to them. */
export function removeSteps(document: FlowDocument, ids: Iterable<string>): FlowDocument {
  const removed = new Set(ids)
  const gone = new Set(
    [...removed].flatMap((id) =>
      allSteps([stepIn(document, id)].filter((it) => it !== undefined)).map((step) => step.id),
    ),
  )
  const scopes = new Set([...removed].map((id) => scopeOf(document, id)))
  const without = [...scopes].reduce(
    (changed, scope) => withStepsOf(changed, scope, (steps) => steps.filter(({ id }) => !removed.has(id))),
    document,
  )
  const changed = changeSteps(without, (step) => withoutMentions(step, gone))
  const places = [...placesIn(document)].filter(([id]) => !gone.has(id))
  return withPlaces(changed, new Map(places))
}

/** Renames a step with all references to it. */
export function renameStep(document: FlowDocument, from: string, to: string): FlowDocument {
  if (from === to || stepIn(document, to) !== undefined) return document
  const changed = changeSteps(document, (step) => {
    const renamed = withRenamed(step, from, to)
    return renamed.id === from ? { ...renamed, id: to } : renamed
  })
  const places = [...placesIn(document)].map(([id, place]) => [id === from ? to : id, place] as const)
  return withPlaces(changed, new Map(places))
}

/** Moves a step in the list of its scope. The order decides between steps that are ready at the same time. */
export function moveStep(document: FlowDocument, id: string, to: number): FlowDocument {
  return withStepsOf(document, scopeOf(document, id), (steps) => {
    const step = steps.find((it) => it.id === id)
    return step === undefined ? steps : steps.filter((it) => it !== step).toSpliced(to, 0, step)
  })
}

/** Whether an edge between the steps would close a cycle. */
export function wouldCircle(document: FlowDocument, from: string, to: string): boolean {
  return from === to || stepsBefore(placeOfStep(document, from)?.beside ?? [], from).has(to)
}

/**
 * Makes one step depend on another of its scope; with `branch`, a path in the first step, makes it the target of that
 * branch.
 */
export function connect(document: FlowDocument, from: string, to: string, branch?: JsonPath): FlowDocument {
  if (scopeOf(document, from) !== scopeOf(document, to) || wouldCircle(document, from, to)) return document
  if (branch !== undefined) return setStepValue(document, from, branch, to)
  return changeStep(document, to, (step) => {
    const given = valueAt(step, ['dependencies'])
    const dependencies = Array.isArray(given) ? (given as readonly Json[]) : []
    return dependencies.includes(from) ? step : { ...step, dependencies: [...dependencies, from] }
  })
}

/** Removes an edge at the path that declares it. */
export function disconnect(document: FlowDocument, { said }: Pick<DraftEdge, 'said'>): FlowDocument {
  if (said === null) return document
  const { step, path } = said
  const changed = setStepValue(document, step, path, undefined)
  const [head] = path
  const isLast = head === 'dependencies' && isSameJson(valueAt(stepIn(changed, step), [head]), [])
  return isLast ? setStepValue(changed, step, [head], undefined) : changed
}

/** Inserts copies of steps with unused IDs into a scope; references among the copies follow. */
export function pasteSteps(
  document: FlowDocument,
  steps: readonly DraftStep[],
  { places = new Map(), within = null }: PasteOptions = {},
): { readonly document: FlowDocument; readonly pasted: readonly string[] } {
  const renamed = freeIds(steps, document)
  const beside = new Set([...stepsOf(document, within), ...steps].map(({ id }) => renamed.get(id) ?? id))
  const others = new Map([...renamed].filter(([before, now]) => before !== now))
  const copies = steps.map((step) => {
    const connected = referencesOf(step)
      .toReversed()
      .reduce((copy, { path, to }) => {
        const name = renamed.get(to) ?? to
        return withValueAt(copy, path, beside.has(name) ? name : undefined)
      }, step)
    return withIds(withStepPathsRenamed(connected, others), renamed)
  })
  const moved = new Map([...places].map(([id, place]) => [renamed.get(id) ?? id, place]))
  const changed = withStepsOf(document, within, (present) => [...present, ...copies])
  return { document: placeSteps(changed, moved), pasted: copies.map(({ id }) => id) }
}

interface PasteOptions {
  readonly places?: ReadonlyMap<string, Place>
  /** Default: the flow itself. */
  readonly within?: Scope
}

/** The new ID of each step of a tree that joins the flow. */
function freeIds(steps: readonly DraftStep[], { definition }: FlowDocument): ReadonlyMap<string, string> {
  const taken = allSteps(definition.steps).map(({ id }) => ({ id }))
  return new Map(
    allSteps(steps).map((step) => {
      const id = freeId(step.id, taken)
      taken.push({ id })
      return [step.id, id] as const
    }),
  )
}

/** The step with the new IDs, for itself and for the steps inside, with the references among these. */
function withIds(step: DraftStep, names: ReadonlyMap<string, string>): DraftStep {
  const inside = mapSteps(stepsInside(step), (inner) => {
    const connected = referencesOf(inner).reduce(
      (copy, { path, to }) => withValueAt(copy, path, names.get(to) ?? to),
      inner,
    )
    return { ...connected, id: names.get(inner.id) ?? inner.id }
  })
  return { ...step, ...(inside.length === 0 ? {} : { steps: inside }), id: names.get(step.id) ?? step.id }
}

export function placeSteps(document: FlowDocument, places: ReadonlyMap<string, Place>): FlowDocument {
  return places.size === 0 ? document : withPlaces(document, new Map([...placesIn(document), ...places]))
}

/** Changes every step of the flow, also those inside of containers. */
function changeSteps(document: FlowDocument, change: (step: DraftStep) => DraftStep): FlowDocument {
  const { definition } = document
  const steps = mapSteps(definition.steps, change)
  return steps === definition.steps ? document : { ...document, definition: { ...definition, steps } }
}

function changeStep(
  document: FlowDocument,
  id: string,
  change: (step: DraftStep) => DraftStep,
): FlowDocument {
  return changeSteps(document, (step) => (step.id === id ? change(step) : step))
}
