import { type AgentStep, type EngineOptions, placedSteps, similarIds, templates } from '#engine'
import type { Problem } from '#kernel/errors'
import type { Agent } from './agent.ts'
import type { Agents } from './agents.ts'

type AgentCheck = NonNullable<EngineOptions['checkAgents']>

/** Checks the agents that the steps of a flow name, and the parameters the steps set. */
export function createAgentCheck(agents: Pick<Agents, 'find' | 'list'>): AgentCheck {
  return async ({ steps }) => {
    const problems: Problem[] = []
    for (const { step, path } of placedSteps(steps)) {
      if (step.type !== 'agent') continue
      problems.push(...(await checkStep(agents, step, path)))
    }
    return problems
  }
}

/** The model that the agent of a step needs. Undefined: it calls none, or there is no such agent. */
export function createModelNeed(agents: Pick<Agents, 'find'>): NonNullable<EngineOptions['modelNeedOf']> {
  return async ({ agent: id, agent_version: version, ai_options: own }) => {
    const agent = await agents.find(id, version)
    if (agent?.definition.prompt === undefined) return undefined
    const { ai_options: options, analysis_output: analysis } = agent.definition
    return { model: own?.model ?? options?.model ?? 'auto', mayBeBuiltin: analysis !== undefined }
  }
}

async function checkStep(
  agents: Pick<Agents, 'find' | 'list'>,
  step: AgentStep,
  path: string,
): Promise<Problem[]> {
  const { agent: id, agent_version: version } = step
  const current = await agents.find(id)
  if (current === undefined) {
    const [similar] = similarIds(
      id,
      (await agents.list()).map((agent) => agent.id),
    )
    const message = `no agent "${id}"${similar === undefined ? '' : `; is "${similar}" meant?`}`
    return [{ path: `${path}.agent`, message, code: 'unknown_agent' }]
  }
  const agent = version === undefined ? current : await agents.find(id, version)
  if (agent === undefined) {
    const message = `"${id}" has no version ${version}; its versions go up to ${current.currentVersion}`
    return [{ path: `${path}.agent_version`, message, code: 'unknown_agent_version' }]
  }
  return [...checkStepParameters(step, agent, path), ...checkIgnoredFields(step, agent, path)]
}

function checkStepParameters(
  { parameters = {} }: AgentStep,
  { id, definition }: Agent,
  path: string,
): Problem[] {
  const known = definition.parameters ?? {}
  const missing = Object.entries(known).flatMap(([name, { required, description }]): Problem[] =>
    required === true && !Object.hasOwn(parameters, name)
      ? [
          {
            path: `${path}.parameters.${name}`,
            message: `is required by the agent "${id}"${description === undefined ? '' : `: ${description}`}`,
            code: 'required',
          },
        ]
      : [],
  )
  const wrong = Object.entries(parameters).flatMap(([name, value]): Problem[] => {
    const parameterPath = `${path}.parameters.${name}`
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined
    if (parameter === undefined) {
      const names = Object.keys(known).join(', ') || 'none'
      return [
        {
          path: parameterPath,
          message: `is no parameter of the agent "${id}"; it has ${names}`,
          code: 'unknown_field',
        },
      ]
    }
    const { choices } = parameter
    // A value from the context is checked when the step runs.
    if (
      choices === undefined ||
      choices.includes(String(value)) ||
      templates.placeholdersIn(String(value)).length > 0
    )
      return []
    return [{ path: parameterPath, message: `must be one of ${choices.join(', ')}`, code: 'choice' }]
  })
  return [...missing, ...wrong]
}

/** Fields of a step that the agent would ignore. */
function checkIgnoredFields(
  { instructions, ai_options: ai }: AgentStep,
  { id, definition }: Agent,
  path: string,
): Problem[] {
  const { prompt, system_prompt: system = '' } = definition
  if (prompt === undefined) {
    const message = `has no effect: the agent "${id}" calls no model`
    return [
      ...(instructions === undefined ? [] : [{ path: `${path}.instructions`, message, code: 'no_effect' }]),
      ...(ai === undefined ? [] : [{ path: `${path}.ai_options`, message, code: 'no_effect' }]),
    ]
  }
  const usesInstructions = [
    ...templates.placeholdersIn(prompt),
    ...templates.placeholdersIn(system),
  ].includes('instructions')
  if (instructions === undefined || usesInstructions) return []
  const message = `has no effect: the agent "${id}" takes no instructions`
  return [{ path: `${path}.instructions`, message, code: 'no_effect' }]
}
