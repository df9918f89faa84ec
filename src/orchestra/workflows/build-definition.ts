import type { AgentEntry, WorkflowFields } from './request.ts'

/** Which part of what an agent makes is content that others can go on with; undefined when none is. */
export type ContentOf = (
  agent: string,
  version: number | undefined,
) => Promise<'whole' | { readonly field: string } | undefined>

/** A flow definition out of a list of agents. Whether it can be saved is for the engine to say. */
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

function pathTo(stepId: string, made: Awaited<ReturnType<ContentOf>>): string | undefined {
  if (made === undefined) return undefined
  return made === 'whole' ? `{{steps.${stepId}}}` : `{{steps.${stepId}.${made.field}}}`
}

/** Steps that were not named are called like their agents; the second of one agent is its `_2`. */
function named(entries: readonly AgentEntry[]): (AgentEntry & { readonly id: string })[] {
  const taken = new Set(entries.flatMap(({ id }) => id ?? []))
  return entries.map((entry) => {
    const id = entry.id ?? freeName(entry.agent, taken)
    taken.add(id)
    return { ...entry, id }
  })
}

/** The longest an id may be. */
const mostLetters = 64

/** The name itself, or with the first number that makes it a new one. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let nth = 2; taken.has(free); nth += 1) {
    const ending = `_${nth}`
    free = `${name.slice(0, mostLetters - ending.length)}${ending}`
  }
  return free
}

/** What a label is called among ids: `Review & publish` is `review_publish`. */
export function idFromLabel(label: string): string {
  const plain = label
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, mostLetters)
    .replaceAll(/^_+|_+$/g, '')
  return plain === '' ? 'workflow' : plain
}
