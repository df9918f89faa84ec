import type { Problem } from '#kernel/errors'
import type { AgentDefinition, CheckOptions } from '../definition.ts'
import { checkKinds } from './kinds.ts'

const options = ['field', 'fields', 'least', 'most', 'within', 'parameter', 'finding'] as const

/** Whether the options of each check are complete, and refer to existing fields and parameters. */
export function checkChecks(agent: AgentDefinition): Problem[] {
  return (agent.checks ?? []).flatMap((check, index) => [
    ...checkOptions(check, `checks[${index}]`),
    ...checkReferences(check, agent, `checks[${index}]`),
  ])
}

function checkOptions(given: CheckOptions, path: string): Problem[] {
  const { needs, takes }: { needs: readonly string[]; takes: readonly string[] } = checkKinds[given.check]
  return options.flatMap((option): Problem[] => {
    const isSet = given[option] !== undefined
    if (isSet && !needs.includes(option) && !takes.includes(option))
      return [noEffect(`${path}.${option}`, `${given.check} does not use it`)]
    if (isSet || !needs.includes(option)) return []
    return [{ path: `${path}.${option}`, message: `is required for ${given.check}`, code: 'required' }]
  })
}

function checkReferences(
  { parameter, finding, field, fields }: CheckOptions,
  agent: AgentDefinition,
  path: string,
) {
  const problems: Problem[] = []
  if (parameter !== undefined && !Object.hasOwn(agent.parameters ?? {}, parameter)) {
    const message = `"${parameter}" is no parameter of the agent`
    problems.push({ path: `${path}.parameter`, message, code: 'reference' })
  }
  if (
    finding !== undefined &&
    !(agent.analysers ?? []).some(({ analyser }) => analyser === finding.split('.')[0])
  ) {
    const message = `"${finding}" is not a result of an analyser of the agent`
    problems.push({ path: `${path}.finding`, message, code: 'reference' })
  }
  const known = fieldsOf(agent)
  const named = [
    ...(field === undefined ? [] : [[`${path}.field`, field] as const]),
    ...(fields ?? []).map((name, index) => [`${path}.fields[${index}]`, name] as const),
  ]
  for (const [position, name] of named) {
    if (agent.output_format !== 'json') problems.push(noEffect(position, 'a text has no fields'))
    else if (known?.has(name.split('.')[0] ?? '') === false)
      problems.push({
        path: position,
        message: `"${name}" is no property of output_schema`,
        code: 'reference',
      })
  }
  return problems
}

/** The property names of the output schema; undefined when it names none. */
export function fieldsOf({ output_schema: schema = {} }: AgentDefinition): ReadonlySet<string> | undefined {
  const { properties } = schema as { readonly properties?: unknown }
  return typeof properties === 'object' && properties !== null ? new Set(Object.keys(properties)) : undefined
}

/** The problem of a field that would be ignored. */
export function noEffect(path: string, why: string): Problem {
  return { path, message: `has no effect: ${why}`, code: 'no_effect' }
}
