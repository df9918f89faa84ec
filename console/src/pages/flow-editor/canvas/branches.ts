import { type DraftStep, type FlowDocument, stepIn } from '../document/flow-document.ts'
import { isObject, type Json, type JsonPath, valueAt } from '../document/json.ts'
import { describeComparison } from '../document/references.ts'
import { drawnId, readDrawnId } from './drawn-id.ts'

/** One branch of a condition or routing step. */
export interface Branch {
  /** The handle its edges start at. */
  readonly handle: string
  readonly label: string
}

/** The handle of plain dependencies, which belong to no branch. */
export const plainHandle = 'after'

/** The branches of a step in evaluation order, without the plain handle. */
export function branchesOf(step: DraftStep): readonly Branch[] {
  const handler = typeof step['on_error'] === 'string' ? [errorBranch] : []
  if (step.type === 'conditional') return [...conditionBranches(step), ...handler]
  const options = step['routing_options']
  if (step.type !== 'ai_prompt' || !isObject(options)) return handler
  const routes = Object.keys(options).map((label) => ({
    handle: handleOf(['routing_options', label]),
    label,
  }))
  return [...routes, ...handler]
}

/** The branch of a failed step. Every step can have it. */
export const errorBranch: Branch = { handle: handleOf(['on_error']), label: 'on error' }

function conditionBranches(step: DraftStep): readonly Branch[] {
  const conditions = step['conditions']
  const list = Array.isArray(conditions) ? (conditions as readonly Json[]) : []
  return [
    ...list.map((condition, index) => ({
      handle: handleOf(['conditions', index]),
      label: (isObject(condition) ? describeComparison(condition) : '') || `condition ${index + 1}`,
    })),
    { handle: handleOf(['default_action']), label: 'otherwise' },
  ]
}

/** The handle an edge starts at, from the path of its reference in the step. */
export function handleOfReference(path: JsonPath): string {
  const [head] = path
  if (head === 'default_action' || head === 'on_error') return handleOf([head])
  return head === 'conditions' || head === 'routing_options' ? handleOf(path.slice(0, 2)) : plainHandle
}

/**
 * The path in a step where the next edge from a handle is written; undefined for the plain handle. A condition has one
 * target, which a new edge replaces. An option continues with its first target and adds every further one.
 */
export function placeOfBranch(step: DraftStep, handle: string): JsonPath | undefined {
  const branch = branchOf(handle)
  if (branch === undefined) return undefined
  if (branch[0] === 'on_error') return branch
  if (branch[0] === 'routing_options') {
    const isFree = typeof valueAt(step, [...branch, 'continue_to']) !== 'string'
    const added = valueAt(step, [...branch, 'add_steps'])
    return isFree
      ? [...branch, 'continue_to']
      : [...branch, 'add_steps', Array.isArray(added) ? added.length : 0]
  }
  const action = branch[0] === 'conditions' ? [...branch, 'action'] : branch
  return [...action, valueAt(step, [...action, 'type']) === 'jump_to_step' ? 'target_step' : 'next_step']
}

/** The label of a handle: `score >= 70`; undefined for the plain handle. */
export function labelOfHandle(document: FlowDocument, id: string, handle: string): string | undefined {
  const step = stepIn(document, id)
  if (step === undefined) return undefined
  return [...branchesOf(step), errorBranch].find((it) => it.handle === handle)?.label
}

/** The path in a step that a handle represents; undefined for the plain handle. */
export function branchOf(handle: string): JsonPath | undefined {
  return handle === plainHandle ? undefined : (JSON.parse(readDrawnId(handle)) as JsonPath)
}

function handleOf(path: JsonPath): string {
  return drawnId(JSON.stringify(path))
}
