import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { checkViews, goInside, type View } from './accessible-views.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'

let tutti: ConsoleUnderTest
let visit: Awaited<ReturnType<ConsoleUnderTest['visit']>>
beforeAll(async () => {
  tutti = await openConsole({ TUTTI_SECRET: 'a secret of this test that is long enough' })
  visit = await tutti.visit()
  const { platform } = tutti
  await administer(platform, 'POST', '/ai-workflows/api/execute-flow', {
    flow_id: 'moderation_with_routing',
    context: { content: 'The sea is calm tonight.' },
  })
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

/** Pages about workflows, executions and agents. */
const views: readonly View[] = [
  { name: 'overview', path: '/', title: 'Overview' },
  { name: 'the system behind it', path: '/?tab=system', title: 'Overview' },
  {
    name: 'a schedule being made',
    path: '/schedules?create=true',
    title: 'Schedules',
    prepare: async (page) => await page.getByRole('list', { name: 'Upcoming runs' }).waitFor(),
  },
  { name: 'workflows', path: '/workflows', title: 'Workflows' },
  {
    name: 'a workflow',
    path: '/workflows/moderation_with_routing',
    title: 'Moderation with routing',
    prepare: async (page) => await page.locator('.react-flow__node').first().waitFor(),
  },
  {
    name: 'its runs',
    path: '/workflows/moderation_with_routing?tab=runs',
    title: 'Moderation with routing',
    prepare: async (page) =>
      await page.getByRole('figure', { name: 'Runs over time' }).locator('canvas').waitFor(),
  },
  {
    name: 'its versions',
    path: '/workflows/moderation_with_routing?tab=versions',
    title: 'Moderation with routing',
  },
  ...['triggers', 'tests'].map((tab) => ({
    name: `its ${tab}`,
    path: `/workflows/moderation_with_routing?tab=${tab}`,
    title: 'Moderation with routing',
    prepare: async (page: Page) => await page.getByText(/^No (webhook|tests)/).waitFor(),
  })),
  {
    name: 'a workflow about to run',
    path: '/workflows/moderation_with_routing?run=true',
    title: 'Moderation with routing',
    prepare: async (page) => await page.getByRole('dialog').waitFor(),
  },
  {
    name: 'a workflow in the editor',
    path: '/workflows/new?from=moderation_with_routing',
    title: 'Copy of Moderation with routing',
    prepare: async (page) => await page.locator('.react-flow__node').first().waitFor(),
  },
  { name: 'executions', path: '/executions', title: 'Executions' },
  ...['', '&view=graph', '&tab=memory', '&tab=decisions', '&tab=log'].map((tab) => ({
    name: `an execution${tab}`,
    path: '/executions',
    title: 'Executions',
    async prepare(page: Page) {
      const way = await page
        .getByRole('link', { name: 'Moderation with routing' })
        .first()
        .getAttribute('href')
      await goInside(page, `${way}?step=decide${tab}`, 'Moderation with routing')
    },
  })),
  {
    name: 'an execution about to run again',
    path: '/executions',
    title: 'Executions',
    async prepare(page) {
      const way = await page
        .getByRole('link', { name: 'Moderation with routing' })
        .first()
        .getAttribute('href')
      await goInside(page, `${way}?again=latest`, 'Moderation with routing')
      await page.getByRole('dialog', { name: 'Run again' }).getByLabel('Input').waitFor()
    },
  },
  { name: 'human tasks', path: '/human-tasks', title: 'Human tasks' },
  { name: 'executions to compare', path: '/executions/compare', title: 'Compare executions' },
  { name: 'events', path: '/events', title: 'Events' },
  { name: 'agents', path: '/agents', title: 'Agents' },
  {
    name: 'what was measured of an agent',
    path: '/agents/readability_analyst?tab=measured',
    title: 'Readability analyst',
    prepare: async (page) => await page.getByRole('figure', { name: 'Runs by month' }).waitFor(),
  },
  {
    name: 'recommended agents',
    path: '/agents/recommend?asked=true&length=50000',
    title: 'Recommend agents',
    prepare: async (page) => await page.getByText('Score details').first().click(),
  },
  {
    name: 'live',
    path: '/executions?view=live',
    title: 'Executions',
    prepare: async (page) => await page.getByRole('status').getByText('Live', { exact: true }).waitFor(),
  },
  {
    name: 'an open event',
    path: '/events?event=1',
    title: 'Events',
    prepare: async (page) => await page.getByRole('region', { name: 'event data' }).waitFor(),
  },
]

checkViews(() => visit, views)
