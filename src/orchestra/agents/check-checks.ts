import type { Problem } from '#kernel/errors'
import { checkKinds } from './checks/kinds.ts'
import type { AgentDefinition, CheckWish } from './definition.ts'
import { fieldsOf, noEffect } from './definition-fields.ts'

const options = ['field', 'fields', 'least', 'most', 'within', 'parameter', 'finding'] as const

/** What is wrong with the checks of an agent: each takes its own options, and looks at what is there. */
export function checkChecks(agent: AgentDefinition): Problem[] {
  return (agent.checks ?? []).flatMap((wish, index) => [
    ...checkOptions(wish, `checks[${index}]`),
    ...checkReferences(wish, agent, `checks[${index}]`),
  ])
}

function checkOptions(wish: CheckWish, path: string): Problem[] {
  const { needs, takes }: { needs: readonly string[]; takes: readonly string[] } = checkKinds[wish.check]
  return options.flatMap((option): Problem[] => {
    const given = wish[option] !== undefined
    if (given && !needs.includes(option) && !takes.includes(option))
      return [noEffect(`${path}.${option}`, `${wish.check} does not look at it`)]
    if (given || !needs.includes(option)) return []
    return [{ path: `${path}.${option}`, message: `is required for ${wish.check}`, code: 'required' }]
  })
}

function checkReferences(
  { parameter, finding, field, fields }: CheckWish,
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
    const message = `"${finding}" is nothing that analysers of the agent find`
    problems.push({ path: `${path}.finding`, message, code: 'reference' })
  }
  const known = fieldsOf(agent)
  const named = [
    ...(field === undefined ? [] : [[`${path}.field`, field] as const]),
    ...(fields ?? []).map((name, index) => [`${path}.fields[${index}]`, name] as const),
  ]
  for (const [place, name] of named) {
    if (agent.output_format !== 'json') problems.push(noEffect(place, 'a text has no fields'))
    else if (known?.has(name.split('.')[0] ?? '') === false)
      problems.push({ path: place, message: `"${name}" is no property of output_schema`, code: 'reference' })
  }
  return problems
}
