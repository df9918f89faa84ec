import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'

let tutti: ConsoleUnderTest
let visit: Awaited<ReturnType<ConsoleUnderTest['visit']>>
beforeAll(async () => {
  tutti = await openConsole({
    TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
    TUTTI_SECRET: 'a secret of this test that is long enough',
  })
  visit = await tutti.visit()
  const { platform } = tutti
  await administer(platform, 'POST', '/api/v1/api-keys', { name: 'Nightly report' })
  await administer(platform, 'POST', '/api/v1/oauth-clients', {
    name: 'Score library, the one with a name that is long enough to need a second line on small screens',
    redirect_uris: ['https://scores.example/callback'],
    scopes: ['models.read', 'models.generate'],
  })
  await addPerson(platform, 'clara', ['viewer'])
  await administer(platform, 'POST', '/v1/chat/completions', {
    model: 'builtin:text',
    messages: [{ role: 'user', content: 'The sea is calm tonight.' }],
  })
  await administer(platform, 'POST', '/ai-workflows/api/execute-flow', {
    flow_id: 'moderation_with_routing',
    context: { content: 'The sea is calm tonight.' },
  })
  await administer(platform, 'POST', '/ai-workflows/api/webhooks', {
    webhook_config: {
      url: 'http://127.0.0.1:1081/behind/a/prefix/that/is/long/enough/to/need/a/second/line',
      events: ['flow.execution.completed'],
    },
  })
  await administer(platform, 'POST', '/api/recipe-tour-builder/tour/welcome/event', { event: 'view' })
  await administer(platform, 'POST', tours, {
    id: 'first_steps',
    label: 'First steps',
    template: 'basic',
    routes: [{ route_name: '/a/place/behind/a/prefix/that/is/long/enough/to/need/a/second/line/*' }],
  })
  await administer(platform, 'POST', '/admin/mcp/servers', {
    name: 'Tools of everybody, with a name that is long enough to need a second line',
    transport: {
      type: 'http',
      url: 'http://127.0.0.1:1082/behind/a/prefix/that/is/long/enough/to/need/a/second/line',
    },
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
afterAll(() => tutti[Symbol.asyncDispose]())

const tours = '/admin/structure/recipe-onboarding/tours'

/** A recipe with warnings. */
const sampleRecipe = {
  format: 'tutti.recipe',
  version: 1,
  files: [{ path: 'config/tour.tour.sample.yml', content: 'id: sample\nlabel: Sample\nuuid: x\n' }],
}

interface View {
  readonly name: string
  readonly path: string
  readonly title: string
  /** Expected console errors of the browser. */
  readonly complaints?: readonly string[]
  /** It opens an overlay, which would cover the next page. */
  readonly isOverAll?: boolean
  /** It must be opened by a page load, because it depends on the response to its URL. */
  readonly isLoaded?: boolean
  readonly prepare?: (page: Page) => Promise<void>
}

const views: readonly View[] = [
  { name: 'overview', path: '/', title: 'Overview' },
  { name: 'the system behind it', path: '/?tab=system', title: 'Overview' },
  {
    name: 'a schedule being made',
    path: '/schedules?create=true',
    title: 'Schedules',
    prepare: async (page) => await page.getByRole('list', { name: 'Upcoming runs' }).waitFor(),
  },
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
    prepare: async (page) => await page.getByRole('slider').locator('svg').waitFor(),
  },
  {
    name: 'an open call',
    path: '/usage',
    title: 'Usage',
    async prepare(page) {
      await page.getByRole('table', { name: 'Calls', exact: true }).getByRole('button').first().click()
      await page.getByRole('dialog').getByText('Source', { exact: true }).waitFor()
    },
  },
  {
    name: 'the page of a call',
    path: '/usage',
    title: 'Usage',
    async prepare(page) {
      await page.getByRole('table', { name: 'Calls', exact: true }).getByRole('button').first().click()
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
  { name: 'workflows', path: '/workflows', title: 'Workflows' },
  {
    name: 'a workflow',
    path: '/workflows/moderation_with_routing',
    title: 'Moderation with routing',
    prepare: async (page) => await page.locator('.react-flow__node').first().waitFor(),
  },
  {
    name: 'its versions',
    path: '/workflows/moderation_with_routing?tab=versions',
    title: 'Moderation with routing',
  },
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
  ...['', '&tab=memory', '&tab=decisions', '&tab=log'].map((tab) => ({
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
  { name: 'webhooks', path: '/webhooks', title: 'Webhooks' },
  {
    name: 'a webhook being added',
    path: '/webhooks?create=true',
    title: 'Webhooks',
    prepare: async (page) => await page.getByLabel('flow.execution.completed').check(),
  },
  {
    name: 'an open webhook',
    path: '/webhooks',
    title: 'Webhooks',
    async prepare(page) {
      await page.getByRole('table', { name: 'Webhooks' }).getByRole('button').first().click()
      await page.getByRole('link', { name: 'View deliveries' }).waitFor()
    },
  },
  {
    name: 'deliveries of a webhook',
    path: '/webhooks',
    title: 'Webhooks',
    async prepare(page) {
      await page.getByRole('table', { name: 'Webhooks' }).getByRole('button').first().click()
      await page.getByRole('link', { name: 'View deliveries' }).click()
      await waitForPage(page, 'Deliveries')
    },
  },
  {
    name: 'MCP servers',
    path: '/mcp-servers',
    title: 'MCP servers',
    async prepare(page) {
      await page.getByRole('button', { name: 'Check now Tools of everybody' }).click()
      await page.getByText('No connection to the host could be made.').waitFor()
    },
  },
  {
    name: 'an MCP server being added',
    path: '/mcp-servers?create=true',
    title: 'MCP servers',
    prepare: async (page) => await page.getByRole('textbox', { name: 'Headers' }).waitFor(),
  },
  {
    name: 'a question before an MCP server is removed',
    path: '/mcp-servers',
    title: 'MCP servers',
    async prepare(page) {
      await page.getByRole('table').getByRole('button', { name: 'Tools of everybody' }).first().click()
      await page.getByRole('button', { name: 'Remove…' }).click()
      await page.getByRole('dialog', { name: 'Remove Tools of everybody' }).waitFor()
    },
  },
  { name: 'tours', path: tours, title: 'Tours' },
  {
    name: 'a tour being made of a template',
    path: `${tours}?create=template`,
    title: 'Tours',
    prepare: async (page) => await page.getByRole('radio', { name: 'Site Building' }).check(),
  },
  {
    name: 'a recipe being imported',
    path: `${tours}?create=import`,
    title: 'Tours',
    async prepare(page) {
      await page.getByLabel('Drop a recipe or a tour here').setInputFiles({
        name: 'recipe.json',
        mimeType: 'application/json',
        buffer: Buffer.from(JSON.stringify(sampleRecipe)),
      })
      await page.getByRole('button', { name: 'Import as a draft' }).waitFor()
    },
  },
  { name: 'a tour', path: `${tours}/first_steps`, title: 'First steps' },
  {
    name: 'a question before a tour is deleted',
    path: `${tours}/first_steps`,
    title: 'First steps',
    async prepare(page) {
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('dialog', { name: 'Delete the tour “First steps”?' }).waitFor()
    },
  },
  { name: 'templates of tours', path: `${tours}/templates`, title: 'Templates' },
  { name: 'a template of tours', path: `${tours}/templates/basic`, title: 'Basic' },
  {
    name: 'a tour that was exported',
    path: `${tours}/first_steps/export`,
    title: 'Export',
    async prepare(page) {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('link', { name: 'Download' }).waitFor()
    },
  },
  { name: 'profile', path: '/profile', title: 'Profile' },
  {
    name: 'unknown page',
    path: '/nowhere',
    title: 'Page not found',
    isLoaded: true,
    complaints: ['Failed to load resource: the server responded with a status of 404 (Not Found)'],
  },
  {
    name: 'an open event',
    path: '/events?event=1',
    title: 'Events',
    prepare: async (page) => await page.getByRole('region', { name: 'event data' }).waitFor(),
  },
  { name: 'API keys', path: '/api-keys?owner=all', title: 'API keys' },
  {
    name: 'a new API key being asked for',
    path: '/api-keys?create=true',
    title: 'API keys',
    prepare: async (page) => await page.getByLabel('Selected scopes').check(),
  },
  {
    name: 'a form with problems',
    path: '/api-keys?create=true',
    title: 'API keys',
    complaints: ['Failed to load resource: the server responded with a status of 400 (Bad Request)'],
    async prepare(page) {
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByText('Must not be empty.').waitFor()
    },
  },
  {
    name: 'a key shown once',
    path: '/api-keys?create=true',
    title: 'API keys',
    async prepare(page) {
      await page.getByLabel('Name').fill('Shown once')
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByRole('dialog', { name: '“Shown once” is created' }).waitFor()
    },
  },
  {
    name: 'a question before a key is revoked',
    path: '/api-keys',
    title: 'API keys',
    async prepare(page) {
      await page.getByRole('button', { name: 'Revoke Nightly report' }).click()
      await page.getByRole('dialog', { name: 'Revoke “Nightly report”?' }).waitFor()
    },
  },
  { name: 'OAuth clients', path: '/oauth-clients', title: 'OAuth clients' },
  {
    name: 'a client being registered',
    path: '/oauth-clients?create=true',
    title: 'OAuth clients',
    prepare: async (page) => await page.getByRole('checkbox', { name: 'models.read' }).check(),
  },
  {
    name: 'a question in front of an open client',
    path: '/oauth-clients',
    title: 'OAuth clients',
    async prepare(page) {
      await page.getByRole('table').getByRole('button').click()
      await page.getByRole('button', { name: 'Delete…' }).click()
      await page.getByRole('dialog', { name: 'Delete “Score library' }).waitFor()
    },
  },
  { name: 'users', path: '/users', title: 'Users' },
  {
    name: 'a user being added',
    path: '/users?create=true',
    title: 'Users',
    prepare: async (page) => await page.getByRole('checkbox', { name: 'Viewer' }).check(),
  },
  {
    name: 'an open user',
    path: '/users?search=clara',
    title: 'Users',
    async prepare(page) {
      await page.getByRole('table').getByRole('button').click()
      await page.getByRole('dialog').getByRole('checkbox', { name: 'Viewer' }).waitFor()
    },
  },
  { name: 'roles', path: '/roles', title: 'Roles' },
  {
    name: 'an open role',
    path: '/roles?role=viewer',
    title: 'Roles',
    prepare: async (page) =>
      await page.getByRole('dialog').getByRole('checkbox', { name: 'run workflows' }).waitFor(),
  },
  {
    name: 'what visitors did with a tour',
    path: '/admin/structure/recipe-onboarding/tours/welcome/analytics',
    title: 'Analytics',
    prepare: async (page) => await page.getByRole('figure', { name: 'Visitors by day' }).waitFor(),
  },
  { name: 'the audit log', path: '/audit', title: 'Audit log' },
  {
    name: 'an open entry of the audit log',
    path: '/audit?entry=1',
    title: 'Audit log',
    prepare: async (page) => await page.getByRole('region', { name: 'entry data' }).waitFor(),
  },
  {
    name: 'a password being changed',
    path: '/profile',
    title: 'Profile',
    async prepare(page) {
      await page.getByRole('button', { name: 'Change password' }).click()
      await page.getByLabel('Repeat new password').waitFor()
    },
  },
  {
    name: 'the palette',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Search or jump to…').waitFor()
      await page.keyboard.type('e')
    },
  },
  {
    name: 'the shortcut help',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  {
    name: 'the colour scheme menu',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.getByRole('button', { name: /^Colour scheme/ }).click()
      await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor()
    },
  },
  {
    name: 'the account menu',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.getByRole('button', { name: /^Account/ }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    },
  },
  {
    name: 'a notice',
    path: '/',
    title: 'Overview',
    isOverAll: true,
    async prepare(page) {
      await page.getByRole('button', { name: 'Search or jump to…' }).click()
      await page.getByRole('button', { name: 'Copy the last request ID' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'the type filter',
    path: '/events',
    title: 'Events',
    async prepare(page) {
      await page.keyboard.press('/')
      await page.getByRole('option').first().waitFor()
    },
  },
]

/** Whether the window shows a page without an overlay, so that the next one can be opened. */
let isInside = false

async function openView(page: Page, { path, title, prepare, isLoaded = false }: View): Promise<void> {
  if (isInside && !isLoaded) {
    // Through an empty page, so that a reopened page keeps no state.
    await goInside(page, '/nowhere', 'Page not found')
    await goInside(page, path, title)
  } else {
    await page.goto(path)
    await waitForPage(page, title)
  }
  isInside = false
  await prepare?.(page)
}

/** Opens a page like a link: loaded and compiled scripts stay. */
async function goInside(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await waitForPage(page, title)
}

test.each(views)(
  'axe and the browser report no problem with $name: light, dark, or 360 pixels wide',
  async (view) => {
    const { page, complaints } = visit
    const earlier = complaints.length
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 1280, height: 720 })
    await openView(page, view)
    expect(await findViolations(page)).toEqual([])
    // The page follows the system colour scheme, so the same view is checked again.
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 740 })
    await waitForStillness(page)
    expect(await readSidewaysScroll(page)).toBe(0)
    expect(complaints.slice(earlier)).toEqual(view.complaints ?? [])
    isInside = view.isOverAll !== true
  },
)

describe('on a screen 360 pixels wide', () => {
  test('shows its navigation behind one button, and Escape closes it', async () => {
    await using narrow = await tutti.visit({ path: '/', viewport: { width: 360, height: 740 } })
    const { page } = narrow
    await waitForPage(page, 'Overview')
    const navigation = page.getByRole('navigation', { name: 'Main' })
    expect(await navigation.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Navigation', exact: true }).press('Enter')
    await navigation.waitFor()
    await page.keyboard.press('Escape')
    await navigation.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Navigation', exact: true }).click()
    await navigation.getByRole('link', { name: 'Usage', exact: true }).click()
    await waitForPage(page, 'Usage')
    await navigation.waitFor({ state: 'hidden' })
  })
})
