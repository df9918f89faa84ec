import type { Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { checkViews, type View } from './accessible-views.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

let tutti: ConsoleUnderTest
let visit: Awaited<ReturnType<ConsoleUnderTest['visit']>>
beforeAll(async () => {
  tutti = await openConsole({ TUTTI_SECRET: 'a secret of this test that is long enough' })
  visit = await tutti.visit()
  const { platform } = tutti
  await administer(platform, 'POST', '/v1/chat/completions', {
    model: 'builtin:text',
    messages: [{ role: 'user', content: 'The sea is calm tonight.' }],
  })
  await administer(platform, 'PUT', '/api/v1/model-routes/quick', {
    description: 'Short answers',
    strategy: 'weighted',
    targets: [
      { model: 'builtin:text', weight: 3 },
      { model: 'a-model-without-provider/with-a-name-that-is-long-enough-to-need-a-second-line', weight: 1 },
    ],
  })
  await administer(platform, 'PUT', '/api/v1/model-limits/ollama/*', { max_concurrent: 4 })
  await administer(platform, 'POST', '/api/cluster/nodes', {
    url: 'http://127.0.0.1:9/behind/a/prefix/that/is/long/enough/to/need/a/second/line',
  })
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

async function openFirstCall(page: Page): Promise<void> {
  const calls = page.getByRole('table', { name: 'Calls', exact: true }).locator('tbody')
  await calls.getByRole('button').first().click()
}

/** Pages about models, nodes and health. */
const views: readonly View[] = [
  {
    name: 'the cluster',
    path: '/cluster',
    title: 'Cluster',
    prepare: async (page) => await page.getByRole('status').getByText('Live', { exact: true }).waitFor(),
  },
  {
    name: 'an open node',
    path: '/cluster',
    title: 'Cluster',
    async prepare(page) {
      await page.getByRole('table').getByRole('button', { name: 'http://' }).first().click()
      await page.getByRole('button', { name: 'Save weight' }).waitFor()
    },
  },
  {
    name: 'a node being added',
    path: '/cluster?create=true',
    title: 'Cluster',
    prepare: async (page) => await page.getByLabel('Address').waitFor(),
  },
  {
    name: 'an answer in the playground, and the models to choose from',
    path: '/playground',
    title: 'Playground',
    // The page reads the call until it is recorded.
    mayComplain: 'Failed to load resource: the server responded with a status of 404 (Not Found)',
    async prepare(page) {
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('link', { name: 'Open call' }).waitFor()
      await page.getByRole('combobox', { name: 'Model' }).click()
      await page.getByRole('option', { name: /^builtin:text/ }).waitFor()
    },
  },
  {
    name: 'usage',
    path: '/usage?account=all',
    title: 'Usage',
    prepare: async (page) => await page.getByRole('slider').locator('canvas').waitFor(),
  },
  {
    name: 'an open call',
    path: '/usage',
    title: 'Usage',
    async prepare(page) {
      await openFirstCall(page)
      await page.getByRole('dialog').getByText('Source', { exact: true }).waitFor()
    },
  },
  {
    name: 'the page of a call',
    path: '/usage',
    title: 'Usage',
    async prepare(page) {
      await openFirstCall(page)
      await page.getByRole('link', { name: 'Show prompt, answer and route' }).click()
      await waitForPage(page, 'Call of ')
    },
  },
  { name: 'providers', path: '/providers', title: 'Providers' },
  {
    name: 'limits of a provider',
    path: '/providers?limit=ollama%2F*',
    title: 'Providers',
    prepare: async (page) => await page.getByLabel('Requests per minute').waitFor(),
  },
  { name: 'routes', path: '/routes', title: 'Routes' },
  {
    name: 'a route being made',
    path: '/routes?create=true',
    title: 'Routes',
    prepare: async (page) => await page.getByRole('combobox', { name: 'Target 1' }).waitFor(),
  },
  {
    name: 'an open route that is explained',
    path: '/routes?route=quick',
    title: 'Routes',
    async prepare(page) {
      await page.getByText('1 target ignored for now').waitFor()
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.getByText('Tried first').waitFor()
    },
  },
  {
    name: 'an open provider',
    path: '/providers?provider=openai',
    title: 'Providers',
    prepare: async (page) => await page.getByRole('button', { name: 'Store key' }).waitFor(),
  },
  {
    name: 'health',
    path: '/health',
    title: 'Health',
    prepare: async (page) => await page.getByRole('status').getByText('Live', { exact: true }).waitFor(),
  },
  {
    name: 'an open service',
    path: '/health?service=database',
    title: 'Health',
    prepare: async (page) => await page.getByRole('dialog').getByText('Latest checks').first().waitFor(),
  },
  { name: 'interface usage', path: '/interface-usage', title: 'Interface usage' },
]

checkViews(() => visit, views)
