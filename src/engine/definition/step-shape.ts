import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import { type Step, type StepType, stepSchemas, stepTypes } from './step-types.ts'

const checks = Object.fromEntries(
  Object.entries(stepSchemas).map(([type, schema]) => [type, createValueCheck(schema)]),
) as Record<StepType, ReturnType<typeof createValueCheck>>

/** Whether every field of a step is what its type asks for. */
export function checkStepShape(step: unknown, place: string): Problem[] {
  if (typeof step !== 'object' || step === null || Array.isArray(step)) {
    return [{ path: place, message: 'must be an object', code: 'type' }]
  }
  const { type } = step as Partial<Step>
  if (type === undefined) return [{ path: `${place}.type`, message: 'is required', code: 'required' }]
  if (!stepTypes.includes(type)) {
    return [{ path: `${place}.type`, message: `must be one of ${stepTypes.join(', ')}`, code: 'choice' }]
  }
  return checks[type](step).map((problem) => ({
    ...(nameProblem(problem, step) ?? problem),
    path: problem.path === '' ? place : `${place}.${problem.path}`,
  }))
}

/** Fields that hold values by names of their author's choice, and what can be one. */
const namesIn: Readonly<Record<string, string>> = {
  routing_options: 'has a name that is not up to 64 letters, digits, hyphens and underscores',
  'api.headers': 'is not the name of a header',
  parameters: 'has a name that is not a letter, then up to 63 letters, digits and underscores',
}

/** A name that cannot be one is no unknown field, although the schema says so. */
function nameProblem(problem: Problem, step: object): Problem | undefined {
  if (problem.code !== 'unknown_field') return undefined
  const found = Object.entries(namesIn).find(([map]) => {
    const named = map.split('.').reduce<unknown>((value, field) => own(value, field), step)
    return problem.path.startsWith(`${map}.`) && own(named, problem.path.slice(map.length + 1)) !== undefined
  })
  return found === undefined ? undefined : { ...problem, message: found[1], code: 'name' }
}

function own(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
    ? (value as Readonly<Record<string, unknown>>)[field]
    : undefined
}
