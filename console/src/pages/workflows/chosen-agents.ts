import type { paths } from '../../api/schema.generated.ts'
import type { AgentEntry } from '../agents/agent-queries.ts'

type NewWorkflow = paths['/ai-orchestra/api/workflows']['post']['requestBody']['content']['application/json']

export type WorkflowMode = NonNullable<NewWorkflow['mode']>

/** One agent of the workflow that is being made; the same agent may be chosen twice. */
export interface ChosenAgent {
  readonly key: number
  readonly agent: string
  readonly instructions: string
  /** The typed parameters. */
  readonly typed: Readonly<Record<string, string>>
  /** The parameters in the types that the agent expects. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>
}

/** The list to begin with: the given agent, when it exists. */
export function firstChosen(
  catalogue: readonly Pick<AgentEntry, 'id'>[],
  agent: string | undefined,
): readonly ChosenAgent[] {
  return catalogue.flatMap(({ id }) =>
    id === agent ? [{ key: 1, agent: id, instructions: '', typed: {} }] : [],
  )
}

export function nextKey(chosen: readonly ChosenAgent[]): number {
  return Math.max(0, ...chosen.map(({ key }) => key)) + 1
}

/** The list with one agent moved; the same list at its ends. */
export function moveChosen(
  chosen: readonly ChosenAgent[],
  index: number,
  by: -1 | 1,
): readonly ChosenAgent[] {
  const moved = chosen[index]
  const to = index + by
  if (moved === undefined || to < 0 || to >= chosen.length) return chosen
  return chosen.toSpliced(index, 1).toSpliced(to, 0, moved)
}

interface Wanted {
  readonly label: string
  readonly mode: WorkflowMode
  readonly chosen: readonly ChosenAgent[]
}

/** The request that creates the workflow. */
export function requestOf({ label, mode, chosen }: Wanted): NewWorkflow {
  return {
    label: label.trim(),
    mode,
    agents: chosen.map(({ agent, instructions, parameters = {} }) => ({
      agent,
      ...(instructions.trim() === '' ? {} : { instructions: instructions.trim() }),
      ...(Object.keys(parameters).length === 0 ? {} : { parameters: { ...parameters } }),
    })),
  }
}
