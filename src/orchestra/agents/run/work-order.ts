import {
  type AgentStep,
  fillText,
  fillValue,
  placeholdersIn,
  placeholdersInValue,
  StepFailure,
  type StepRun,
  takeNoteOfMissing,
} from '#engine'
import type { Agent } from '../agent.ts'
import type { Agents } from '../agents.ts'

/** What an agent is to do, with everything filled in. */
export interface WorkOrder {
  readonly agent: Agent
  readonly input: string
  readonly instructions: string
  /** Every parameter of the agent, those that were not given as their defaults. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  /** Paths of the execution that went into it. */
  readonly contextUsed: readonly string[]
}

/** Reads what a step wants of which agent. Throws INVALID_STEP when that cannot be done. */
export async function readOrder(agents: Pick<Agents, 'find'>, run: StepRun<AgentStep>): Promise<WorkOrder> {
  const { step, scope } = run
  const agent = await findWorking(agents, step)
  const { input: wanted = '{{content}}', instructions: besides = '', parameters: given = {} } = step
  const input = fillText(wanted, scope)
  const instructions = fillText(besides, scope)
  const filled = fillValue(given, scope)
  takeNoteOfMissing(run, [...new Set([...input.missing, ...instructions.missing, ...filled.missing])])
  if (input.value.trim() === '') {
    throw invalid(
      `There is nothing for "${agent.id}" to work on: its input ${wanted} is empty. Send the text in context.content.`,
      { agent: agent.id, input: wanted.slice(0, 200) },
    )
  }
  return {
    agent,
    input: input.value,
    instructions: instructions.value,
    parameters: readParameters(run, agent, filled.value as Readonly<Record<string, unknown>>),
    contextUsed: [
      ...new Set([...placeholdersIn(wanted), ...placeholdersIn(besides), ...placeholdersInValue(given)]),
    ],
  }
}

async function findWorking(agents: Pick<Agents, 'find'>, step: AgentStep): Promise<Agent> {
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
      ? `The agent "${id}" is under maintenance, and does no work until it is active again.`
      : `The agent "${id}" is switched off.`,
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
  // The flow was saved before the agent changed.
  if (unknown.length > 0) log('warning', `"${id}" does not know ${unknown.join(', ')} any more.`, { unknown })
  return Object.fromEntries(
    Object.entries(known).map(([name, { required = false, default: usual = '', choices }]) => {
      const value = plain(given[name])
      const isGiven = value !== undefined && value !== ''
      if (!isGiven && required)
        throw invalid(`"${id}" needs the parameter "${name}".`, { agent: id, parameter: name })
      const used = isGiven ? value : usual
      if (choices !== undefined && isGiven && !choices.includes(String(used))) {
        const message = `The parameter "${name}" of "${id}" must be one of ${choices.join(', ')}.`
        throw invalid(message, { agent: id, parameter: name, choices, found: String(used).slice(0, 200) })
      }
      return [name, used]
    }),
  )
}

/** What a path led to may be anything; a list or an object is given as its text. */
function plain(value: unknown): string | number | boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

export function invalid(message: string, details: Readonly<Record<string, unknown>>): StepFailure {
  return new StepFailure({ code: 'INVALID_STEP', message, details })
}
