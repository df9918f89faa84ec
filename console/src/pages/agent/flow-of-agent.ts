import type { WholeAgent } from '../agents/agent-queries.ts'

interface RunOptions {
  readonly parameters: Readonly<Record<string, string | number | boolean>>
  /** What is asked of it besides. */
  readonly instructions: string
}

/** A flow in which this agent alone works, on the content it is run with. */
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
