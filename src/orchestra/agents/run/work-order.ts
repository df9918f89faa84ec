import { type AgentStep, StepFailure, type StepRun, templates } from '#engine'
import type { Agent } from '../agent.ts'
import type { Agents } from '../agents.ts'

/** The input of an agent run, with all placeholders filled in. */
export interface WorkOrder {
  readonly agent: Agent
  readonly input: string
  readonly instructions: string
  /** All parameters of the agent, with defaults. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  /** The context paths that were used. */
  readonly contextUsed: readonly string[]
}

/** Reads the work order of a step. Throws INVALID_STEP when the agent or a parameter is missing or invalid. */
export async function readOrder(agents: Pick<Agents, 'find'>, run: StepRun<AgentStep>): Promise<WorkOrder> {
  const { step, scope } = run
  const agent = await findActive(agents, step)
  const { input: inputTemplate = '{{content}}', instructions: template = '', parameters: given = {} } = step
  const input = templates.fillText(inputTemplate, scope)
  const instructions = templates.fillText(template, scope)
  const filled = templates.fillValue(given, scope)
  templates.reportMissing(run, [...new Set([...input.missing, ...instructions.missing, ...filled.missing])])
  if (input.value.trim() === '') {
    throw invalid(`The input ${inputTemplate} of "${agent.id}" is empty. Send the text in context.content.`, {
      agent: agent.id,
      input: inputTemplate.slice(0, 200),
    })
  }
  return {
    agent,
    input: input.value,
    instructions: instructions.value,
    parameters: readParameters(run, agent, filled.value as Readonly<Record<string, unknown>>),
    contextUsed: [
      ...new Set([
        ...templates.pathsIn(inputTemplate),
        ...templates.pathsIn(template),
        ...templates.pathsIn(given),
      ]),
    ],
  }
}

async function findActive(agents: Pick<Agents, 'find'>, step: AgentStep): Promise<Agent> {
  const { agent: id, agent_version: version } = step
  const agent = await agents.find(id, version)
  if (agent === undefined) {
    const message =
      version === undefined
        ? `There is no agent "${id}".`
        : `There is no agent "${id}" with a version ${version}.`
    throw invalid(message, { agent: id, agent_version: version ?? null })
  }
  if (agent.status === 'active') return agent
  throw invalid(
    agent.status === 'maintenance'
      ? `The agent "${id}" is in maintenance. It runs again once its status is active.`
      : `The agent "${id}" is inactive. Set its status to active to run it.`,
    { agent: id, status: agent.status },
  )
}

function readParameters(
  { log }: StepRun<AgentStep>,
  { id, definition }: Agent,
  given: Readonly<Record<string, unknown>>,
): Record<string, string | number | boolean> {
  const known = definition.parameters ?? {}
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  // The flow was saved before the agent lost the parameter.
  if (unknown.length > 0)
    log('warning', `"${id}" has no parameter ${unknown.join(', ')} any more.`, { unknown })
  return Object.fromEntries(
    Object.entries(known).map(([name, { required = false, default: fallback = '', choices }]) => {
      const value = plain(given[name])
      const isGiven = value !== undefined && value !== ''
      if (!isGiven && required)
        throw invalid(`"${id}" needs the parameter "${name}".`, { agent: id, parameter: name })
      const used = isGiven ? value : fallback
      if (choices !== undefined && isGiven && !choices.includes(String(used))) {
        const message = `The parameter "${name}" of "${id}" must be one of ${choices.join(', ')}.`
        throw invalid(message, { agent: id, parameter: name, choices, found: String(used).slice(0, 200) })
      }
      return [name, used]
    }),
  )
}

/** A placeholder may be filled with any value; lists and objects become JSON text. */
function plain(value: unknown): string | number | boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

export function invalid(message: string, details: Readonly<Record<string, unknown>>): StepFailure {
  return new StepFailure({ code: 'INVALID_STEP', message, details })
}
