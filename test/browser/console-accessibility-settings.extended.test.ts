import { afterAll, beforeAll } from 'vitest'
import { checkViews, type View } from './accessible-views.ts'
import { addPerson, administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'

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
  await administer(platform, 'POST', '/ai-workflows/api/webhooks', {
    webhook_config: {
      url: 'http://127.0.0.1:1081/behind/a/prefix/that/is/long/enough/to/need/a/second/line',
      events: ['flow.execution.completed'],
    },
  })
  await administer(platform, 'POST', '/admin/mcp/servers', {
    name: 'Tools of everybody, with a name that is long enough to need a second line',
    transport: {
      type: 'http',
      url: 'http://127.0.0.1:1082/behind/a/prefix/that/is/long/enough/to/need/a/second/line',
    },
  })
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

/** Pages about accounts, keys and integrations. */
const views: readonly View[] = [
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
      await page.getByRole('table', { name: 'Webhooks' }).locator('tbody').getByRole('button').first().click()
      await page.getByRole('link', { name: 'View deliveries' }).waitFor()
    },
  },
  {
    name: 'deliveries of a webhook',
    path: '/webhooks',
    title: 'Webhooks',
    async prepare(page) {
      await page.getByRole('table', { name: 'Webhooks' }).locator('tbody').getByRole('button').first().click()
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
  { name: 'profile', path: '/profile', title: 'Profile' },
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
      await page.getByRole('dialog').getByLabel('Name').fill('Shown once')
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
      await page.getByRole('table').locator('tbody').getByRole('button').click()
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
      await page.getByRole('table').locator('tbody').getByRole('button').click()
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
]

checkViews(() => visit, views)
