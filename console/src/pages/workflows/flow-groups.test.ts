import { expect, test } from 'vitest'
import { countGroups, flowGroups, flowsIn, groupOf, ownFirst, searchOf } from './flow-groups.ts'
import type { FlowEntry } from './flow-queries.ts'
import { readWorkflowSearch } from './workflow-search.ts'

const flow = (id: string, owner_id: string | null, updated_at: number, more: Partial<FlowEntry> = {}) =>
  ({
    id,
    owner_id,
    updated_at,
    built_in: owner_id === null,
    kind: 'steps',
    enabled: true,
    ...more,
  }) as FlowEntry

const flows = [
  flow('built-in one', null, 5, { kind: 'agents' }),
  flow('built-in two', null, 9),
  flow('other', 'ben', 8, { enabled: false }),
  flow('own old', 'ada', 1),
  flow('own new', 'ada', 2),
]

test('own workflows come first, then those of others, the last changed first, then the built-in ones', () => {
  expect(ownFirst(flows, 'ada').map(({ id }) => id)).toEqual([
    'own new',
    'own old',
    'other',
    'built-in one',
    'built-in two',
  ])
})

test('the groups are counted and listed', () => {
  expect(countGroups(flows, 'ada')).toEqual({ all: 5, mine: 2, built_in: 2, agents: 1, disabled: 1 })
  expect(flowsIn('disabled', flows, 'ada').map(({ id }) => id)).toEqual(['other'])
  // Before the account is known, nothing is the own.
  expect(countGroups(flows, undefined).mine).toBe(0)
})

test.each(flowGroups)('the address keeps the group %s', (group) => {
  expect(groupOf(readWorkflowSearch(searchOf(group)))).toBe(group)
})
