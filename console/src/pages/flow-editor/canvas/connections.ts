import type { DraftEdge } from '../document/edges.ts'
import { connect, disconnect, setStepValue, wouldCircle } from '../document/edits.ts'
import { type FlowDocument, nameOf, stepIn } from '../document/flow-document.ts'
import { isObject, type Json, type JsonPath, valueAt } from '../document/json.ts'
import { branchOf, labelOfHandle, placeOfBranch } from './branches.ts'

/** A connection the user draws from a handle of one step to another step. */
export interface Connection {
  readonly from: string
  readonly handle: string
  readonly to: string
}

/** The flow with the connection; the same flow where it exists already or would close a cycle. */
export function withConnection(document: FlowDocument, connection: Connection): FlowDocument {
  const { from, handle, to } = connection
  const step = stepIn(document, from)
  if (step === undefined || refusalOf(document, connection) !== null) return document
  const place = placeOfBranch(step, handle)
  if (place === undefined) return connect(document, from, to)
  if (targetsOfBranch(document, from, handle).includes(to)) return document
  const action = place.slice(0, -1)
  const isAction = place[0] !== 'routing_options'
  const typed =
    isAction && !isObject(valueAt(step, action))
      ? setStepValue(document, from, action, { type: 'continue' })
      : document
  return connect(typed, from, to, place)
}

/** The reason why a connection is invalid; null when it is valid. */
export function refusalOf(document: FlowDocument, { from, handle, to }: Connection): string | null {
  const name = nameIn(document, to)
  if (from === to) return `${name} cannot run after itself.`
  const lines = [{ from, to }, ...impliedLines(document, { from, handle, to })]
  return lines.some((line) => wouldCircle(document, line.from, line.to))
    ? `${name} runs before ${nameIn(document, from)}: this would create a cycle.`
    : null
}

/** Steps an option adds run before the step it continues with, so one connection can imply others. */
function impliedLines(
  document: FlowDocument,
  { from, handle, to }: Connection,
): readonly { readonly from: string; readonly to: string }[] {
  const step = stepIn(document, from)
  const place = step === undefined ? undefined : placeOfBranch(step, handle)
  if (step === undefined || place?.[0] !== 'routing_options') return []
  const option = place.slice(0, 2)
  const on = valueAt(step, [...option, 'continue_to'])
  if (typeof on === 'string') return on === to ? [] : [{ from: to, to: on }]
  return textsOf(valueAt(step, [...option, 'add_steps']))
    .filter((added) => added !== to)
    .map((added) => ({ from: added, to }))
}

/** The steps a branch leads to. */
function targetsOfBranch(document: FlowDocument, from: string, handle: string): readonly string[] {
  const branch = branchOf(handle)
  const step = stepIn(document, from)
  if (branch === undefined || step === undefined) return []
  if (branch[0] !== 'routing_options') {
    const place = placeOfBranch(step, handle) ?? []
    return textsOf([valueAt(step, place) ?? null])
  }
  const option = valueAt(step, branch)
  return textsOf([...textsOf(valueAt(option, ['add_steps'])), valueAt(option, ['continue_to']) ?? null])
}

/** The role of an edge of a routing option: it continues with the step, or adds it; null for every other edge. */
export function roleInOption({ said }: Pick<DraftEdge, 'said'>): 'goes on' | 'adds' | null {
  if (said?.path[0] !== 'routing_options') return null
  return said.path.includes('add_steps') ? 'adds' : 'goes on'
}

/**
 * Switches the role of an edge of a routing option. The option then adds the step it continued with before. Returns the
 * same flow where the switch would close a cycle.
 */
export function withOtherRole(document: FlowDocument, edge: Pick<DraftEdge, 'said' | 'to'>): FlowDocument {
  const role = roleInOption(edge)
  if (edge.said === null || role === null) return document
  const { step: id, path } = edge.said
  const option: JsonPath = path.slice(0, 2)
  const without = disconnect(document, edge)
  const step = stepIn(without, id)
  const on = valueAt(step, [...option, 'continue_to'])
  const added = textsOf(valueAt(step, [...option, 'add_steps']))
  const wanted =
    role === 'goes on'
      ? { on: undefined, added: [...added, edge.to] }
      : { on: edge.to, added: typeof on === 'string' ? [...added, on] : added }
  if (wanted.on !== undefined && wanted.added.some((it) => wouldCircle(without, it, edge.to))) return document
  return [
    { field: 'continue_to', value: wanted.on },
    { field: 'add_steps', value: wanted.added.length === 0 ? undefined : wanted.added },
  ].reduce((changed, { field, value }) => setStepValue(changed, id, [...option, field], value), without)
}

/** A connection in words: `Review to Publish when score >= 70`. */
export function describeLine(document: FlowDocument, { from, handle, to }: Connection): string {
  const label = labelOfHandle(document, from, handle)
  const ends = `${nameIn(document, from)} to ${nameIn(document, to)}`
  return label === undefined ? ends : `${ends} when ${label}`
}

export function nameIn(document: FlowDocument, id: string): string {
  const step = stepIn(document, id)
  return step === undefined ? id : nameOf(step)
}

function textsOf(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.filter((it): it is string => typeof it === 'string') : []
}
