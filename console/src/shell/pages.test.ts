import { expect, test } from 'vitest'
import { entryGroups, pageOf, pages } from './pages.ts'

test('the navigation has an entry for every page but the profile, and a page for every entry', () => {
  const entries = entryGroups.flatMap((group) => group.entries.map(({ title }) => title))
  expect(entries.join(', ')).toBe(
    'Overview, Workflows, Agents, Playground, Tours, Executions, Schedules, Usage, Models, Integrations, Health, Settings',
  )
  const linked = pages.flatMap(({ entry }) => entry ?? [])
  expect([...new Set(linked)].toSorted()).toEqual(entries.toSorted())
  expect(pages.filter(({ entry }) => entry === null).map(({ path }) => path)).toEqual(['/profile'])
})

test('each page has an address and a shortcut of its own', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length)
  expect(new Set(pages.map(({ key }) => key)).size).toBe(pages.length)
})

test.each([
  ['/', 'Overview'],
  ['/events', 'Health'],
  ['/audit', 'Settings'],
  ['/workflows/content_quality_review', 'Workflows'],
  ['/webhooks/deliveries', 'Integrations'],
  ['/executions/01890000-0000-7000-8000-000000000000', 'Executions'],
  ['/workflowsx', undefined],
])('the entry of %s is %s', (path, entry) => {
  expect(pageOf(path)?.entry).toBe(entry)
})

test('the page of an address is the one with the longest path', () => {
  expect(pageOf('/webhooks/deliveries')?.title).toBe('Deliveries')
  expect(pageOf('/webhooks/4711')?.title).toBe('Webhooks')
})
