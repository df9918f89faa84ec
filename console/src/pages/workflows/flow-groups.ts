import type { FlowEntry } from './flow-queries.ts'
import type { WorkflowSearch } from './workflow-search.ts'

/** Which workflows the list shows. */
export const flowGroups = ['all', 'mine', 'built_in', 'agents', 'disabled'] as const

export type FlowGroup = (typeof flowGroups)[number]

export const groupWords: Readonly<Record<FlowGroup, string>> = {
  all: 'All',
  mine: 'Yours',
  built_in: 'Built-in',
  agents: 'Agent workflows',
  disabled: 'Disabled',
}

type Grouped = Pick<FlowEntry, 'owner_id' | 'built_in' | 'kind' | 'enabled'>

function isIn(group: FlowGroup, flow: Grouped, account: string | undefined): boolean {
  if (group === 'mine') return flow.owner_id !== null && flow.owner_id === account
  if (group === 'built_in') return flow.built_in
  if (group === 'agents') return flow.kind === 'agents'
  return group === 'all' || !flow.enabled
}

/** The workflows of a group, in their order. */
export function flowsIn<Flow extends Grouped>(
  group: FlowGroup,
  flows: readonly Flow[],
  account: string | undefined,
): readonly Flow[] {
  return flows.filter((flow) => isIn(group, flow, account))
}

/** The number of workflows in each group. */
export function countGroups(
  flows: readonly Grouped[],
  account: string | undefined,
): Readonly<Record<FlowGroup, number>> {
  const count = (group: FlowGroup) => flowsIn(group, flows, account).length
  return {
    all: count('all'),
    mine: count('mine'),
    built_in: count('built_in'),
    agents: count('agents'),
    disabled: count('disabled'),
  }
}

/** The group that the address chooses. */
export function groupOf({ kind, which, state }: WorkflowSearch): FlowGroup {
  return state ?? which ?? kind ?? 'all'
}

/** The search parameters of a group; the others are removed. */
export function searchOf(group: FlowGroup): Record<'kind' | 'which' | 'state', string | undefined> {
  return {
    kind: group === 'agents' ? group : undefined,
    which: group === 'mine' || group === 'built_in' ? group : undefined,
    state: group === 'disabled' ? group : undefined,
  }
}

/**
 * Workflows in the order of the list: the user's own, those of other accounts, then the built-in ones. The last changed
 * comes first, except among the built-in ones, which all change with a release.
 */
export function ownFirst(flows: readonly FlowEntry[], account: string | undefined): readonly FlowEntry[] {
  const rank = (flow: FlowEntry) => ownerGroups.indexOf(ownerGroupOf(flow, account))
  return flows.toSorted(
    (one, other) => rank(one) - rank(other) || (one.built_in ? 0 : other.updated_at - one.updated_at),
  )
}

const ownerGroups = ['Yours', 'Shared', 'Built-in'] as const

/** The heading above a workflow in the unsorted list. */
export function ownerGroupOf(
  { built_in: builtIn, owner_id: owner }: Pick<FlowEntry, 'built_in' | 'owner_id'>,
  account: string | undefined,
): (typeof ownerGroups)[number] {
  if (builtIn) return 'Built-in'
  return owner === account ? 'Yours' : 'Shared'
}
