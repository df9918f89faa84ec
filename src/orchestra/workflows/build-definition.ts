import type { Agents } from '../agents/agents.ts'
import type { AgentEntry, WorkflowFields } from './schemas.ts'

/** Which part of the output of an agent is content for the next agent; undefined when none is. */
export type ContentOf = (
  agent: string,
  version: number | undefined,
) => Promise<'whole' | { readonly field: string } | undefined>

/** Builds a flow definition from a list of agents. The engine validates it when it is saved. */
export async function buildDefinition(
  id: string,
  { mode = 'sequential', agents, ...head }: WorkflowFields,
  contentOf: ContentOf,
) {
  const entries = named(agents.map((entry) => (typeof entry === 'string' ? { agent: entry } : entry)))
  const steps: object[] = []
  let before: string | undefined
  let content: string | undefined
  for (const entry of entries) {
    const isNext = mode === 'sequential'
    steps.push({
      type: 'agent',
      ...(isNext && content !== undefined && { input: content }),
      ...entry,
      ...(isNext && before !== undefined && { dependencies: [before] }),
    })
    before = entry.id
    if (isNext) content = pathTo(entry.id, await contentOf(entry.agent, entry.agent_version)) ?? content
  }
  return { id, ...head, steps }
}

function pathTo(stepId: string, content: Awaited<ReturnType<ContentOf>>): string | undefined {
  if (content === undefined) return undefined
  return content === 'whole' ? `{{steps.${stepId}}}` : `{{steps.${stepId}.${content.field}}}`
}

/** A step without an id gets the id of its agent; the second step of an agent gets the suffix `_2`. */
function named(entries: readonly AgentEntry[]): (AgentEntry & { readonly id: string })[] {
  const taken = new Set(entries.flatMap(({ id }) => id ?? []))
  return entries.map((entry) => {
    const id = entry.id ?? freeName(entry.agent, taken)
    taken.add(id)
    return { ...entry, id }
  })
}

const maxIdLength = 64

/** The name, or the name with the first free number. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let nth = 2; taken.has(free); nth += 1) {
    const ending = `_${nth}`
    free = `${name.slice(0, maxIdLength - ending.length)}${ending}`
  }
  return free
}

/** Derives an id from a label: `Review & publish` becomes `review_publish`. */
export function idFromLabel(label: string): string {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, maxIdLength)
    .replaceAll(/^_+|_+$/g, '')
  return plain === '' ? 'workflow' : plain
}

/** Reads the output format of agents. An unknown agent has no content; saving its workflow reports the error. */
export function createContentOf({ find }: Pick<Agents, 'find'>): ContentOf {
  return async (id, version) => {
    const agent = await find(id, version)
    if (agent === undefined) return undefined
    const { output_format: format, content_field: field } = agent.definition
    if (format !== 'json') return 'whole'
    return field === undefined ? undefined : { field }
  }
}
