import type { DraftStep } from './flow-document.ts'
import { isObject, type Json, type JsonPath, valueAt, withValueAt } from './json.ts'
import { withStepPathsRenamed } from './step-paths.ts'

/** A path where one step refers to another. */
export interface Reference {
  readonly path: JsonPath
  readonly to: string
  readonly kind: 'needs' | 'chooses'
  /** The condition of the reference; null for an unconditional one. */
  readonly label: string | null
}

/** Every reference of a step to others, in reading order. */
export function referencesOf(step: DraftStep): readonly Reference[] {
  return [...needsOf(step), ...conditionsOf(step), ...routesOf(step), ...handlerOf(step)]
}

function needsOf(step: DraftStep): Reference[] {
  return textsAt(step, ['dependencies']).map(({ path, text }) => ({
    path,
    to: text,
    kind: 'needs',
    label: null,
  }))
}

function conditionsOf(step: DraftStep): Reference[] {
  if (step.type !== 'conditional') return []
  const conditions = entriesAt(step, ['conditions']).flatMap(({ path, value }) =>
    isObject(value) ? chosenBy(value['action'], [...path, 'action'], describeComparison(value)) : [],
  )
  return [...conditions, ...chosenBy(step['default_action'], ['default_action'], 'otherwise')]
}

function routesOf(step: DraftStep): Reference[] {
  const options = step['routing_options']
  if (step.type !== 'ai_prompt' || !isObject(options)) return []
  return Object.keys(options).flatMap((label) => {
    const at = ['routing_options', label]
    const added = textsAt(step, [...at, 'add_steps'])
    const on = valueAt(step, [...at, 'continue_to'])
    return [
      ...added.map(({ path, text }): Reference => ({ path, to: text, kind: 'chooses', label })),
      ...(typeof on === 'string'
        ? [{ path: [...at, 'continue_to'], to: on, kind: 'chooses', label } as const]
        : []),
    ]
  })
}

function handlerOf(step: DraftStep): Reference[] {
  const handler = step['on_error']
  return typeof handler === 'string'
    ? [{ path: ['on_error'], to: handler, kind: 'chooses', label: 'on error' }]
    : []
}

function chosenBy(action: Json | undefined, path: JsonPath, label: string): Reference[] {
  if (!isObject(action)) return []
  const field = action['type'] === 'jump_to_step' ? 'target_step' : 'next_step'
  const to = action[field]
  return typeof to === 'string' ? [{ path: [...path, field], to, kind: 'chooses', label }] : []
}

/** A condition in one line: `analysis.score >= 70`, `score > 70 and not (language == de)`. The engine writes it in the same way. */
export function describeComparison(condition: { readonly [key: string]: Json }): string {
  const { field, operator, value, expression, all, any, not } = condition
  if (typeof expression === 'string') return expression
  if (Array.isArray(all)) return describeGroup(all as readonly Json[], ' and ')
  if (Array.isArray(any)) return describeGroup(any as readonly Json[], ' or ')
  if (isObject(not)) return `not (${describeComparison(not)})`
  const words = [asText(field), asText(operator), asText(value)].filter((word) => word !== '')
  return words.join(' ')
}

/** Expressions and groups inside a group are in brackets. */
function describeGroup(conditions: readonly Json[], word: string): string {
  return conditions
    .filter(isObject)
    .map((condition) => {
      const isGroup = ['all', 'any', 'expression'].some((form) => condition[form] !== undefined)
      return isGroup ? `(${describeComparison(condition)})` : describeComparison(condition)
    })
    .join(word)
}

/** Steps that run only when a routing step adds them. */
export function dormantSteps(steps: readonly DraftStep[]): ReadonlySet<string> {
  return new Set(
    steps.flatMap((step) =>
      referencesOf(step)
        .filter(({ path }) => path[0] === 'routing_options' && path.includes('add_steps'))
        .map(({ to }) => to),
    ),
  )
}

/** The step with all references to one ID replaced by another. */
export function withRenamed(step: DraftStep, from: string, to: string): DraftStep {
  const changed = referencesOf(step)
    .filter((reference) => reference.to === from)
    .reduce((it, { path }) => withValueAt(it, path, to), step)
  return withStepPathsRenamed(changed, new Map([[from, to]]))
}

/** The step without references to removed steps. */
export function withoutMentions(step: DraftStep, gone: ReadonlySet<string>): DraftStep {
  return referencesOf(step)
    .filter(({ to }) => gone.has(to))
    .toReversed()
    .reduce((changed, { path }) => withValueAt(changed, path, undefined), step)
}

function entriesAt(step: DraftStep, path: JsonPath): { readonly path: JsonPath; readonly value: Json }[] {
  const list = valueAt(step, path)
  return Array.isArray(list)
    ? (list as readonly Json[]).map((value, index) => ({ path: [...path, index], value }))
    : []
}

function textsAt(step: DraftStep, path: JsonPath): { readonly path: JsonPath; readonly text: string }[] {
  return entriesAt(step, path).flatMap(({ path: at, value }) =>
    typeof value === 'string' ? [{ path: at, text: value }] : [],
  )
}

function asText(value: Json | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}
