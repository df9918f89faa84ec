import type { WholeAgent } from '../agents/agent-queries.ts'

type Value = string | number | boolean

/** A parameter of an agent. */
export interface AgentParameter {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly default?: Value
  readonly choices?: readonly string[]
}

/** The parameters of an agent, required ones first, read from its free-form definition. */
export function parametersOf({
  agent_definition: definition,
}: Pick<WholeAgent, 'agent_definition'>): readonly AgentParameter[] {
  const { parameters } = definition
  if (!isObject(parameters)) return []
  const all = Object.entries(parameters).flatMap(([name, about]): AgentParameter[] => {
    if (!isObject(about)) return []
    const { description, required, default: usual, choices } = about
    return [
      {
        name,
        description: typeof description === 'string' ? description : '',
        required: required === true,
        ...(isValue(usual) ? { default: usual } : {}),
        ...(Array.isArray(choices) ? { choices: choices.filter((it) => typeof it === 'string') } : {}),
      },
    ]
  })
  return all.toSorted((one, other) => Number(other.required) - Number(one.required))
}

/** The typed parameters in the types the agent expects. Empty ones use the agent's default. */
export function valuesOf(
  parameters: readonly AgentParameter[],
  typed: Readonly<Record<string, string>>,
): Record<string, Value> {
  return Object.fromEntries(
    parameters.flatMap(({ name, default: usual }) => {
      const text = typed[name]?.trim() ?? ''
      return text === '' ? [] : [[name, likeUsual(text, usual)]]
    }),
  )
}

/** Converts a text to the type of the parameter's default; a parameter without a default is a string. */
function likeUsual(text: string, usual: Value | undefined): Value {
  if (typeof usual === 'boolean') return text === 'true'
  if (typeof usual !== 'number') return text
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

function isValue(value: unknown): value is Value {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface RunOptions {
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  /** Additional instructions for the agent. */
  readonly instructions: string
}

/** A flow with this agent as its only step, run on the content. */
export function flowOfAgent(
  {
    id,
    label,
    revision,
    current_revision: current,
  }: Pick<WholeAgent, 'id' | 'label' | 'revision' | 'current_revision'>,
  { parameters, instructions }: RunOptions,
) {
  return {
    id: 'one_agent',
    label: `${label} alone`.slice(0, 200),
    steps: [
      {
        id: 'agent',
        type: 'agent' as const,
        label,
        agent: id,
        input: '{{content}}',
        ...(revision === current ? {} : { agent_version: revision }),
        ...(instructions.trim() === '' ? {} : { instructions: instructions.trim() }),
        ...(Object.keys(parameters).length === 0 ? {} : { parameters: { ...parameters } }),
      },
    ],
  }
}
