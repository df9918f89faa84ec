import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { administer } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { type ModelsUnderTest, openModels } from './models-under-test.ts'

const key = 'gsk-of-the-added-provider-7890'

let models: ModelsUnderTest
let groq: OpenAiServer
const stack = new AsyncDisposableStack()
beforeAll(async () => {
  groq = stack.use(await startOpenAiServer({ apiKey: key, models: ['llama-3.3-70b', 'qwen3-32b'] }))
  models = stack.use(await openModels({ TUTTI_SECRET: 'a secret of forty characters, for the test' }))
})
afterAll(() => stack.disposeAsync())

afterEach(async () => {
  const { data } = await administer<{ data: readonly { name: string; source: string }[] }>(
    models.tutti.platform,
    'GET',
    '/api/v1/providers',
  )
  for (const { name, source } of data) {
    if (source === 'stored') await administer(models.tutti.platform, 'DELETE', `/api/v1/providers/${name}`)
  }
})

const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Providers' }).getByRole('row').filter({ hasText: name })

test('adds a provider after a test, changes it, and deletes it after a confirmation', async () => {
  await using visit = await models.tutti.visit({ path: '/providers' })
  const { page, complaints } = visit
  await waitForPage(page, 'Providers')
  await page.getByRole('button', { name: 'Add provider' }).click()
  const form = page.getByRole('dialog', { name: 'Add provider' })
  await form.getByLabel('Preset').selectOption('Groq')
  expect(await form.getByLabel('Base URL').inputValue()).toBe('https://api.groq.com/openai/v1')

  await form.getByLabel('Base URL').fill('http://127.0.0.1:9/v1')
  await form.getByRole('button', { name: 'Test connection' }).click()
  await form.getByText('No server listens at this host and port.', { exact: false }).waitFor()
  await form.getByLabel('Base URL').fill(groq.baseUrl)
  await form.getByRole('button', { name: 'Test connection' }).click()
  await form.getByText('does not accept the API key', { exact: false }).waitFor()
  await form.getByLabel('API key (optional)', { exact: true }).fill(key)
  await form.getByRole('button', { name: 'Test connection' }).click()
  await form.getByText(/^2 models, /).waitFor()
  await form.getByText('llama-3.3-70b, qwen3-32b').waitFor()

  await form.getByRole('button', { name: 'Add provider' }).click()
  await form.getByText(/must be 1 to 32 lower-case letters/i).waitFor()
  await form.getByLabel('Name').fill('groq')
  await form.getByLabel('Default model (optional)').fill('llama-3.3-70b')
  await form.getByLabel('Headers (optional)').fill('X-Tenant: one')
  expect(await findViolations(page)).toEqual([])
  await form.getByRole('button', { name: 'Add provider' }).click()
  await form.waitFor({ state: 'hidden' })
  await rowOf(page, 'groq').getByText('Online').waitFor()
  await rowOf(page, 'groq').getByText('Stored, ends with 7890').waitFor()

  await rowOf(page, 'groq').getByRole('button', { name: 'groq', exact: true }).click()
  const drawer = page.getByRole('dialog', { name: 'groq' })
  await drawer.getByText('x-tenant').waitFor()
  await drawer.getByRole('button', { name: 'Test connection' }).click()
  await drawer.getByText(/^2 models, /).waitFor()
  await drawer.getByLabel('Models (optional)').fill('qwen3-32b')
  await drawer.getByRole('button', { name: 'Save settings' }).click()
  await drawer.getByText('Models (1)').waitFor()
  expect(groq.requests.at(-1)?.headers).toMatchObject({ 'x-tenant': 'one', authorization: `Bearer ${key}` })
  await drawer.getByLabel('Base URL').fill('groq')
  await drawer.getByRole('button', { name: 'Save settings' }).click()
  await drawer.getByText(/must be a URL starting with http/i).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await page.content()).not.toContain(key)

  await drawer.getByRole('button', { name: 'Delete provider…' }).click()
  const question = page.getByRole('dialog', { name: 'Delete the provider groq?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await question.waitFor({ state: 'hidden' })
  await drawer.getByRole('button', { name: 'Delete provider…' }).click()
  await question.getByRole('button', { name: 'Delete provider' }).click()
  await rowOf(page, 'groq').waitFor({ state: 'hidden' })
  expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
})

test('an added provider can be selected in the form of a price', async () => {
  const body = { name: 'groq', kind: 'openai', base_url: groq.baseUrl, api_key: key }
  await administer(models.tutti.platform, 'POST', '/api/v1/providers', body)
  await using visit = await models.tutti.visit({ path: '/providers?create=true' })
  const { page } = visit
  const form = page.getByRole('dialog', { name: 'Set price' })
  await form.getByLabel('Provider').selectOption('groq')
  await form.getByLabel('Model').fill('llama-3.3-70b')
  await form.getByLabel('Input', { exact: true }).fill('0.59')
  await form.getByLabel('Output').fill('0.79')
  await form.getByRole('button', { name: 'Set price' }).click()
  await form.waitFor({ state: 'hidden' })
  const row = page
    .getByRole('table', { name: 'Prices' })
    .getByRole('row')
    .filter({ hasText: 'llama-3.3-70b' })
  await row.getByText('groq').waitFor()
  await row.getByText('$0.79').waitFor()
})
