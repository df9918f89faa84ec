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

/** Adds a step at the end; with `after`, it depends on that step. */
export function addStep(
  document: FlowDocument,
  step: DraftStep,
  { after, place }: { readonly after?: string | undefined; readonly place?: Place | undefined } = {},
): FlowDocument {
  const added = after === undefined ? step : { ...step, dependencies: [after] }
  const changed = changeSteps(document, (steps) => [...steps, added])
  return place === undefined ? changed : placeSteps(changed, new Map([[step.id, place]]))
}

/** Removes steps with all references to them. */
export function removeSteps(document: FlowDocument, ids: Iterable<string>): FlowDocument {
  const gone = new Set(ids)
  const changed = changeSteps(document, (steps) =>
    steps.filter(({ id }) => !gone.has(id)).map((step) => withoutMentions(step, gone)),
  )
  const places = [...placesIn(document)].filter(([id]) => !gone.has(id))
  return withPlaces(changed, new Map(places))
}

/** Renames a step with all references to it. */
export function renameStep(document: FlowDocument, from: string, to: string): FlowDocument {
  if (from === to || document.definition.steps.some(({ id }) => id === to)) return document
  const changed = changeSteps(document, (steps) =>
    steps.map((step) => {
      const renamed = withRenamed(step, from, to)
      return renamed.id === from ? { ...renamed, id: to } : renamed
    }),
  )
  const places = [...placesIn(document)].map(([id, place]) => [id === from ? to : id, place] as const)
  return withPlaces(changed, new Map(places))
}

/** Moves a step in the list. The order decides between steps that are ready at the same time. */
export function moveStep(document: FlowDocument, id: string, to: number): FlowDocument {
  return changeSteps(document, (steps) => {
    const step = steps.find((it) => it.id === id)
    return step === undefined ? steps : steps.filter((it) => it !== step).toSpliced(to, 0, step)
  })
}

/** Whether an edge between the steps would close a cycle. */
export function wouldCircle({ definition: { steps } }: FlowDocument, from: string, to: string): boolean {
  return from === to || stepsBefore(steps, from).has(to)
}

/** Makes one step depend on another; with `branch`, a path in the first step, makes it the target of that branch. */
export function connect(document: FlowDocument, from: string, to: string, branch?: JsonPath): FlowDocument {
  if (wouldCircle(document, from, to)) return document
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

/** Inserts copies of steps with unused IDs; references among the copies follow. */
export function pasteSteps(
  document: FlowDocument,
  steps: readonly DraftStep[],
  places: ReadonlyMap<string, Place> = new Map(),
): { readonly document: FlowDocument; readonly pasted: readonly string[] } {
  const present = document.definition.steps
  const taken = [...present]
  const renamed = new Map<string, string>()
  for (const step of steps) {
    const id = freeId(step.id, taken)
    renamed.set(step.id, id)
    taken.push({ ...step, id })
  }
  const known = new Set(taken.map(({ id }) => id))
  const others = new Map([...renamed].filter(([before, now]) => before !== now))
  const copies = steps.map((step) => {
    const connected = referencesOf(step)
      .toReversed()
      .reduce((copy, { path, to }) => {
        const name = renamed.get(to) ?? to
        return withValueAt(copy, path, known.has(name) ? name : undefined)
      }, step)
    return { ...withStepPathsRenamed(connected, others), id: renamed.get(step.id) ?? step.id }
  })
  const moved = new Map([...places].map(([id, place]) => [renamed.get(id) ?? id, place]))
  const changed = changeSteps(document, () => [...present, ...copies])
  return { document: placeSteps(changed, moved), pasted: copies.map(({ id }) => id) }
}

export function placeSteps(document: FlowDocument, places: ReadonlyMap<string, Place>): FlowDocument {
  return places.size === 0 ? document : withPlaces(document, new Map([...placesIn(document), ...places]))
}

function changeSteps(
  document: FlowDocument,
  change: (steps: readonly DraftStep[]) => readonly DraftStep[],
): FlowDocument {
  const { definition } = document
  return { ...document, definition: { ...definition, steps: change(definition.steps) } }
}

function changeStep(
  document: FlowDocument,
  id: string,
  change: (step: DraftStep) => DraftStep,
): FlowDocument {
  return changeSteps(document, (steps) => steps.map((step) => (step.id === id ? change(step) : step)))
}
