import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EchoApi, startEchoApi } from '../support/echo-api.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { pressAt, readSidewaysScroll, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
let database: TestDatabase
let api: EchoApi

beforeAll(async () => {
  api = await startEchoApi()
  database = await createTestDatabase()
  tutti = await openConsole(
    {
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_SECRET: 'a secret of this test that is long enough',
    },
    { database },
  )
})
afterAll(async () => {
  await tutti?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
  await database?.close()
})

const row = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })

test('connections are added, tested, changed and deleted', async () => {
  await using visit = await tutti.visit({ path: '/connections' })
  const { page, complaints } = visit
  await waitForPage(page, 'Connections')
  await page.getByText('No connections yet.').waitFor()
  await page.getByRole('button', { name: 'Add connection' }).click()
  const form = page.getByRole('dialog', { name: 'Add connection' })
  await form.getByLabel('Name', { exact: true }).fill('Shop')
  await form.getByLabel('Kind').selectOption('User name and password')
  await form.getByLabel('User name').fill('nora')
  await form.getByRole('textbox', { name: 'Password' }).fill('short')
  await form.getByLabel('Allowed hosts').fill(api.url)
  await form.getByRole('button', { name: 'Add connection' }).click()
  await form.getByText(/lower-case letters, digits and underscores, the first a letter/).waitFor()
  await form.getByLabel('Name', { exact: true }).fill('shop')
  await form.getByRole('button', { name: 'Add connection' }).click()
  await form.getByText(/8 characters or more/).waitFor()
  await form.getByRole('textbox', { name: 'Password' }).fill('a long password')
  await form.getByRole('button', { name: 'Add connection' }).click()

  const drawer = page.getByRole('dialog', { name: 'shop' })
  await drawer.getByText('No flow names it.').waitFor()
  expect(await drawer.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('')
  await drawer.getByLabel('URL').fill(`${api.url}/me`)
  await drawer.getByRole('button', { name: 'Test connection' }).click()
  await drawer.getByText('The host responded with status 200.').waitFor()
  expect(api.requests[0]?.headers.authorization).toBe(
    `Basic ${Buffer.from('nora:a long password').toString('base64')}`,
  )

  await drawer.getByLabel('Allowed hosts').fill('thief.example')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText(/sent again/).waitFor()
  await drawer.getByRole('textbox', { name: 'Password' }).fill('another password')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await row(page, 'Connections', 'thief.example').waitFor()

  await drawer.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete connection' }).click()
  await page.getByText('No connections yet.').waitFor()
  // The browser logs the two refused forms.
  expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
})

test('secrets have a list of their own and show the flows that use them', async () => {
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: {
      id: 'call_github',
      label: 'Call GitHub',
      steps: [
        {
          id: 'call',
          type: 'external_api',
          api: {
            url: 'https://api.github.com/user',
            headers: { Authorization: 'Bearer {{secrets.github}}' },
          },
        },
      ],
    },
  })
  await using visit = await tutti.visit({ path: '/connections' })
  const { page, complaints } = visit
  await waitForPage(page, 'Connections')
  await page.getByText('Secrets', { exact: true }).click()
  await page.getByRole('button', { name: 'Add secret' }).click()
  const form = page.getByRole('dialog', { name: 'Add secret' })
  await form.getByLabel('Name', { exact: true }).fill('github')
  await form.getByLabel('Value').fill('ghp_0123456789')
  await form.getByLabel('Allowed hosts').fill('api.github.com')
  await form.getByLabel('Shared').check()
  await form.getByRole('button', { name: 'Add secret' }).click()
  const drawer = page.getByRole('dialog', { name: 'github' })
  await drawer.getByRole('link', { name: 'Call GitHub' }).waitFor()
  await drawer.getByText('{{secrets.github}}').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await row(page, 'Secrets', 'github').getByText('By you').waitFor()
  expect(complaints).toEqual([])
})

test('a secret needs hosts, and a stored one without them says what that means', async () => {
  await using visit = await tutti.visit({ path: '/connections?list=secrets&create=true' })
  const { page } = visit
  const form = page.getByRole('dialog', { name: 'Add secret' })
  await form.getByLabel('Name', { exact: true }).fill('unlimited')
  await form.getByLabel('Value').fill('a value of eight and more')
  await form.getByRole('button', { name: 'Add secret' }).click()
  await form.getByText(/at least one host that may get the value/).waitFor()
  await form.getByLabel('Allowed hosts').fill('api.example.com')
  await form.getByRole('button', { name: 'Add secret' }).click()
  await page.getByRole('dialog', { name: 'unlimited' }).getByText('No flow names it.').waitFor()

  await database.query(`update connections set allowed_hosts = '{}' where name = 'unlimited'`)
  await page.reload()
  const drawer = page.getByRole('dialog', { name: 'unlimited' })
  await drawer.getByText(/only flows that you own and have saved can send it/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await drawer.getByLabel('Allowed hosts').fill('api.example.com')
  await drawer.getByRole('button', { name: 'Save' }).click()
  await drawer.getByText(/only flows that you own/).waitFor({ state: 'detached' })
})

test('the editor offers connections and secrets to HTTP steps alone', async () => {
  const added = { allowed_hosts: ['api.example.com'] }
  await administer(tutti.platform, 'POST', '/ai-workflows/api/connections', {
    ...added,
    name: 'crm',
    kind: 'bearer',
    credentials: { token: 'the token of the crm' },
  })
  await administer(tutti.platform, 'POST', '/ai-workflows/api/secrets', {
    ...added,
    name: 'crm_key',
    value: 'the key of the crm',
  })
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: {
      id: 'with_connection',
      label: 'With a connection',
      steps: [{ id: 'call', type: 'external_api', api: { url: 'https://api.example.com/' } }],
    },
  })
  await using visit = await tutti.visit({ path: '/flows/with_connection/edit?view=list' })
  const { page, complaints } = visit
  await page.locator('[data-step="call"] [data-part=open]').press('Enter')
  const connection = page
    .getByRole('textbox', { name: 'Connection' })
    .or(page.getByRole('combobox', { name: 'Connection' }))
    .first()
  await connection.fill('cr')
  await page.getByRole('option', { name: /^crm/ }).first().click()
  await expect.poll(() => connection.inputValue()).toBe('crm')
  const url = page.getByRole('textbox', { name: 'URL', exact: true })
  await url.press('Control+End')
  await url.pressSequentially('?key={{secrets.crm')
  await page.getByRole('option', { name: /secrets\.crm_key/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('No problems').waitFor()
  await page.keyboard.press('Control+s')
  const save = page.getByRole('dialog').getByRole('button', { name: 'Save' })
  await untilShown(page, 'Saved as version 2', () => pressAt(save))
  const { flow_definition } = await administer<{ flow_definition: { steps: readonly { api: object }[] } }>(
    tutti.platform,
    'GET',
    '/ai-workflows/api/flows/with_connection',
  )
  expect(flow_definition.steps[0]?.api).toEqual({
    url: 'https://api.example.com/?key={{secrets.crm_key}}',
    connection: 'crm',
  })
  expect(complaints).toEqual([])
})

test.each([
  ['light', 1200],
  ['dark', 1200],
  ['light', 390],
] as const)('the form reads well in %s colours at %i pixels', async (colorScheme, width) => {
  await using visit = await tutti.visit({
    path: '/connections?create=true',
    viewport: { width, height: 900 },
    colorScheme,
    own: true,
  })
  const { page } = visit
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('OAuth 2.0 client credentials')
  await page.getByLabel('Token URL').waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  expect(await findViolations(page)).toEqual([])
})
