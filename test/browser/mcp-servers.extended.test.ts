import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startProcess } from '../support/process.ts'
import { administer, removeAll } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { untilShown } from './in-page.ts'

const httpServer = new URL('../fixtures/mcp-http-server.ts', import.meta.url)
const stdioServer = new URL('../fixtures/mcp-stdio-server.ts', import.meta.url).pathname

let tutti: ConsoleUnderTest
let url: string
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  const keyed = closing.use(await startProcess({ file: httpServer, args: ['keyed'] }))
  url = `http://127.0.0.1:${await keyed.waitForLine(/^\d+$/)}/mcp`
  tutti = closing.use(
    await openConsole({
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_MCP_STDIO: 'true',
      TUTTI_SECRET: 'a secret of this test that is long enough',
    }),
  )
  // On a busy machine a response takes longer than the defaults allow.
  const patience = { timeout_seconds: 20, slow_ms: { mcp: 20_000 } }
  await administer(tutti.platform, 'PUT', '/admin/llm/config', patience)
})
afterAll(() => closing.disposeAsync())
beforeEach(() => removeAll(tutti.platform, '/admin/mcp/servers', 'servers', 'id'))

const row = (page: Page, text: string) =>
  page.getByRole('table', { name: 'MCP servers' }).getByRole('row').filter({ hasText: text })

test('a server is added, corrected, probed, disabled and removed', async () => {
  await using visit = await tutti.visit({ path: '/mcp-servers' })
  const { page, complaints } = visit
  await waitForPage(page, 'MCP servers')
  await page.getByText('No MCP servers yet.').waitFor()

  await page.getByRole('button', { name: 'Add your first server' }).click()
  const form = page.getByRole('dialog', { name: 'Add server' })
  await form.getByLabel('Name').fill('search')
  await form.getByRole('textbox', { name: 'URL' }).fill(url)
  await form.getByRole('button', { name: 'Add server' }).click()

  const drawer = page.getByRole('dialog', { name: 'search' })
  await drawer.getByText('Authentication required (status 401)').waitFor()
  await drawer.getByLabel('Headers').fill('Authorization: Bearer let-me-in')
  await untilShown(page, 'The server is saved', () => drawer.getByRole('button', { name: 'Save' }).click())
  await drawer.getByRole('button', { name: 'Check now search' }).click()
  await drawer.getByText('Finds things.').waitFor()
  await drawer.getByText('well 1.2.3').waitFor()
  await expect.poll(() => drawer.getByLabel('Headers').inputValue()).toBe('Authorization:')

  await drawer.getByRole('button', { name: 'Disable' }).click()
  await drawer.getByRole('button', { name: 'Enable' }).click()
  await drawer.getByRole('button', { name: 'Disable' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await expect.poll(() => row(page, 'search').innerText()).toContain('Online')

  await row(page, 'search').getByRole('button', { name: 'search', exact: true }).click()
  await drawer.getByRole('button', { name: 'Remove…' }).click()
  await page
    .getByRole('dialog', { name: 'Remove search?' })
    .getByRole('button', { name: 'Remove server' })
    .click()
  await page.getByText('No MCP servers yet.').waitFor()
  expect(complaints).toEqual([])
})

test('a program can be a server, and an error stands beside its field', async () => {
  await using visit = await tutti.visit({ path: '/mcp-servers?create=true' })
  const { page } = visit
  const form = page.getByRole('dialog', { name: 'Add server' })
  await form.getByLabel('Name').fill('files')
  await form.getByRole('textbox', { name: 'URL' }).fill('http://10.0.0.1/mcp')
  await form.getByRole('button', { name: 'Add server' }).click()
  await form.getByText('it leads to a private network').waitFor()
  expect(await form.getByRole('textbox', { name: 'URL' }).getAttribute('aria-invalid')).toBe('true')

  await form.getByText('Program (stdio)').click()
  await form.getByRole('textbox', { name: 'Program' }).fill(process.execPath)
  await form.getByLabel('Arguments').fill(`${stdioServer}\nwell`)
  await form.getByLabel('Environment variables').fill('TOKEN=abc')
  await form.getByRole('button', { name: 'Add server' }).click()
  const drawer = page.getByRole('dialog', { name: 'files' })
  await drawer.getByText('Does what read_file says.').waitFor()
  await drawer.getByText('2 tools, as of the last response.').waitFor()
  await expect.poll(() => drawer.getByLabel('Environment variables').inputValue()).toBe('TOKEN=')
})

test('an assistant gets its connection instructions', async () => {
  await using visit = await tutti.visit({
    path: '/mcp-servers',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const { page } = visit
  await waitForPage(page, 'MCP servers')
  const address = `${tutti.platform.url}/mcp`
  await page.getByText(address, { exact: true }).waitFor()
  const copy = page.getByRole('button', { name: 'Copy configuration: HTTP clients' })
  await untilShown(page, 'Copied configuration: HTTP clients', () => copy.click())
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(JSON.parse(copied)).toMatchObject({ mcpServers: { tutti: { url: address } } })
  await page.getByRole('region', { name: 'Configuration: stdio clients' }).waitFor()
})

test('an unknown id in the URL is reported', async () => {
  await using visit = await tutti.visit({ path: '/mcp-servers?server=nonsense' })
  await visit.page.getByText('No MCP server has this ID.').waitFor()
})
