import type { Problem } from '#kernel/errors'
import { targetsOf } from '../graph/graph.ts'
import type { Step } from './step-types.ts'

type Sound = readonly (Step | undefined)[]

/** Finds duplicate and unknown ids. An invalid step (undefined) is not checked, but its id is known. */
export function checkNames(steps: Sound, ids: readonly (string | undefined)[]): Problem[] {
  return [...findDuplicates(ids), ...findUnknown(steps, new Set(ids))]
}

function findDuplicates(ids: readonly (string | undefined)[]): Problem[] {
  const seen = new Set<string>()
  return ids.flatMap((id, index) => {
    if (id === undefined) return []
    const isTaken = seen.has(id)
    seen.add(id)
    return isTaken
      ? [{ path: `steps[${index}].id`, message: `"${id}" is the id of another step`, code: 'duplicate' }]
      : []
  })
}

function findUnknown(steps: Sound, known: ReadonlySet<string | undefined>): Problem[] {
  return steps.flatMap((step, index) =>
    (step === undefined ? [] : referencesOf(step)).flatMap(({ path, id }) => {
      const at = `steps[${index}].${path}`
      if (id === step?.id) return [{ path: at, message: `"${id}" is the step itself`, code: 'circle' }]
      return known.has(id) ? [] : [{ path: at, message: `no step "${id}"`, code: 'unknown_step' }]
    }),
  )
}

interface Reference {
  readonly path: string
  readonly id: string
}

function referencesOf(step: Step): Reference[] {
  const references: Reference[] = (step.dependencies ?? []).map((id, index) => ({
    path: `dependencies[${index}]`,
    id,
  }))
  const add = (path: string, id: string | undefined) => {
    if (id !== undefined) references.push({ path, id })
  }
  if (step.type === 'conditional') {
    const actions = step.conditions.map(({ action }, index) => ({
      at: `conditions[${index}].action`,
      action,
    }))
    if (step.default_action !== undefined) actions.push({ at: 'default_action', action: step.default_action })
    for (const { at, action } of actions) {
      add(`${at}.next_step`, action.next_step)
      add(`${at}.target_step`, action.target_step)
    }
  }
  if (step.type === 'ai_prompt') {
    for (const [name, { add_steps = [], continue_to }] of Object.entries(step.routing_options ?? {})) {
      for (const [index, id] of add_steps.entries()) add(`routing_options.${name}.add_steps[${index}]`, id)
      add(`routing_options.${name}.continue_to`, continue_to)
    }
  }
  return references
}

/** Finds the first cycle, with the path around it. Every name must be known. */
export function findCircle(steps: readonly Step[]): Problem[] {
  const next = edgesOf(steps)
  const done = new Set<string>()
  for (const { id } of steps) {
    const circle = circleFrom(id, next, done)
    if (circle !== undefined) {
      const index = steps.findIndex((step) => step.id === circle[0])
      const way = circle.map((step) => `"${step}"`).join(' → ')
      return [
        {
          path: `steps[${index}]`,
          message: `is part of a cycle: ${way}. Steps cannot depend on themselves.`,
          code: 'circle',
        },
      ]
    }
  }
  return []
}

/** The steps after each step. */
function edgesOf(steps: readonly Step[]): Map<string, string[]> {
  const next = new Map<string, string[]>(steps.map(({ id }) => [id, []]))
  for (const step of steps) {
    for (const before of step.dependencies ?? []) next.get(before)?.push(step.id)
    next.get(step.id)?.push(...targetsOf(step))
    if (step.type !== 'ai_prompt') continue
    for (const { add_steps = [], continue_to } of Object.values(step.routing_options ?? {})) {
      if (continue_to === undefined) continue
      for (const added of add_steps) if (added !== continue_to) next.get(added)?.push(continue_to)
    }
  }
  return next
}

/** Depth-first search with an explicit stack: a chain of 500 steps must not need 500 nested calls. */
function circleFrom(
  start: string,
  next: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
): string[] | undefined {
  const way: { readonly id: string; readonly rest: string[] }[] = []
  const onWay = new Set<string>()
  const enter = (id: string) => {
    way.push({ id, rest: [...(next.get(id) ?? [])] })
    onWay.add(id)
  }
  if (!done.has(start)) enter(start)
  for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
    const following = here.rest.shift()
    if (following === undefined) {
      way.pop()
      onWay.delete(here.id)
      done.add(here.id)
    } else if (onWay.has(following)) {
      const ids = way.map(({ id }) => id)
      return [...ids.slice(ids.indexOf(following)), following]
    } else if (!done.has(following)) {
      enter(following)
    }
  }
  return undefined
}
