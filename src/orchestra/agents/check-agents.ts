import { type AgentCheck, type AgentStep, placeholdersIn, similarIds } from '#engine'
import type { Problem } from '#kernel/errors'
import type { Agent } from './agent.ts'
import type { Agents } from './agents.ts'

/** Says what is wrong with the agents that steps of a flow name, and with what the steps give them. */
export function createAgentCheck(agents: Pick<Agents, 'find' | 'list'>): AgentCheck {
  return async ({ steps }) => {
    const problems: Problem[] = []
    for (const [index, step] of steps.entries()) {
      if (step.type !== 'agent') continue
      problems.push(...(await checkStep(agents, step, `steps[${index}]`)))
    }
    return problems
  }
}

async function checkStep(
  agents: Pick<Agents, 'find' | 'list'>,
  step: AgentStep,
  place: string,
): Promise<Problem[]> {
  const { agent: id, agent_version: version } = step
  const current = await agents.find(id)
  if (current === undefined) {
    const [similar] = similarIds(
      id,
      (await agents.list()).map((agent) => agent.id),
    )
    const message = `no agent "${id}"${similar === undefined ? '' : `; is "${similar}" meant?`}`
    return [{ path: `${place}.agent`, message, code: 'unknown_agent' }]
  }
  const agent = version === undefined ? current : await agents.find(id, version)
  if (agent === undefined) {
    const message = `"${id}" has no version ${version}; its versions go up to ${current.currentVersion}`
    return [{ path: `${place}.agent_version`, message, code: 'unknown_agent_version' }]
  }
  return [...checkParameters(step, agent, place), ...checkWishes(step, agent, place)]
}

function checkParameters(
  { parameters = {} }: AgentStep,
  { id, definition }: Agent,
  place: string,
): Problem[] {
  const known = definition.parameters ?? {}
  const missing = Object.entries(known).flatMap(([name, { required, description }]): Problem[] =>
    required === true && !Object.hasOwn(parameters, name)
      ? [
          {
            path: `${place}.parameters.${name}`,
            message: `is required by the agent "${id}"${description === undefined ? '' : `: ${description}`}`,
            code: 'required',
          },
        ]
      : [],
  )
  const wrong = Object.entries(parameters).flatMap(([name, value]): Problem[] => {
    const path = `${place}.parameters.${name}`
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined
    if (parameter === undefined) {
      const names = Object.keys(known).join(', ') || 'none'
      return [
        { path, message: `is no parameter of the agent "${id}"; it has ${names}`, code: 'unknown_field' },
      ]
    }
    const { choices } = parameter
    // What comes from the context is looked at when the step runs.
    if (choices === undefined || choices.includes(String(value)) || placeholdersIn(String(value)).length > 0)
      return []
    return [{ path, message: `must be one of ${choices.join(', ')}`, code: 'choice' }]
  })
  return [...missing, ...wrong]
}

/** What a step asks for and this agent would not look at. */
function checkWishes(
  { instructions, ai_options: ai }: AgentStep,
  { id, definition }: Agent,
  place: string,
): Problem[] {
  const { prompt, system_prompt: system = '' } = definition
  if (prompt === undefined) {
    const message = `has no effect: the agent "${id}" asks no model`
    return [
      ...(instructions === undefined ? [] : [{ path: `${place}.instructions`, message, code: 'no_effect' }]),
      ...(ai === undefined ? [] : [{ path: `${place}.ai_options`, message, code: 'no_effect' }]),
    ]
  }
  const takes = [...placeholdersIn(prompt), ...placeholdersIn(system)].includes('instructions')
  if (instructions === undefined || takes) return []
  const message = `has no effect: the agent "${id}" takes no instructions`
  return [{ path: `${place}.instructions`, message, code: 'no_effect' }]
}
