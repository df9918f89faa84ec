import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { administer, removeAll } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { readFocusedText, readSidewaysScroll, waitForIdle } from './in-page.ts'
import { cloudModel, type ModelsUnderTest, openModels } from './models-under-test.ts'

let models: ModelsUnderTest
beforeAll(async () => {
  models = await openModels()
})
afterAll(() => models[Symbol.asyncDispose]())
beforeEach(() => removeAll(models.tutti.platform, path, 'data', 'provider', 'model'))

const path = '/api/v1/model-limits'

const rowOf = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Limits' }).getByRole('row').filter({ hasText: name })

test('sets the limits of a model, changes them, and deletes them after a confirmation', async () => {
  await using visit = await models.tutti.visit({ path: '/providers' })
  const { page, complaints } = visit
  await waitForPage(page, 'Providers')
  await page.getByText('No limits are set.', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Set limits' }).click()
  const form = page.getByRole('dialog', { name: 'Set limits' })
  await form.getByLabel('Provider').selectOption('OpenAI')
  await form.getByRole('combobox', { name: 'Model (optional)' }).fill('gpt')
  await form.getByRole('option', { name: cloudModel }).click()
  await form.getByRole('button', { name: 'Set limits' }).click()
  await form.getByText('Set at least one limit, or delete the limits.').waitFor()
  await form.getByLabel('Requests per minute').fill('many')
  await form.getByRole('button', { name: 'Set limits' }).click()
  await form.getByText(/^Must be /).waitFor()
  await form.getByLabel('Requests per minute').fill('500')
  await form.getByRole('button', { name: 'Set limits' }).click()
  await form.waitFor({ state: 'hidden' })
  expect(await administer(models.tutti.platform, 'GET', path)).toMatchObject({
    data: [{ provider: 'openai', model: cloudModel, max_concurrent: null, requests_per_minute: 500 }],
  })

  await rowOf(page, cloudModel).getByText('500').waitFor()
  await rowOf(page, cloudModel).getByRole('button', { name: cloudModel }).click()
  const drawer = page.getByRole('dialog', { name: `Limits of ${cloudModel}` })
  await drawer.getByText('by admin', { exact: false }).waitFor()
  await drawer.getByLabel('Concurrent calls').fill('8')
  await drawer.getByLabel('Requests per minute').fill('')
  await drawer.getByRole('button', { name: 'Set limits' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await expect.poll(() => readFocusedText(page)).toBe(cloudModel)
  expect(await administer(models.tutti.platform, 'GET', path)).toMatchObject({
    data: [{ max_concurrent: 8, requests_per_minute: null }],
  })

  await rowOf(page, cloudModel).getByRole('button', { name: cloudModel }).click()
  await drawer.getByRole('button', { name: 'Delete limits…' }).click()
  const question = page.getByRole('dialog', { name: `Delete the limits of ${cloudModel}?` })
  await question.getByRole('button', { name: 'Delete limits' }).click()
  await page.getByText('No limits are set.', { exact: false }).waitFor()
  expect(complaints.filter((line) => !line.includes('400'))).toEqual([])
})

test('sets the limits of all models of a provider by keyboard, and says when it replaces limits', async () => {
  await using visit = await models.tutti.visit({ path: '/providers', viewport: { width: 390, height: 844 } })
  const { page } = visit
  await waitForPage(page, 'Providers')
  await page.getByRole('button', { name: 'Set limits' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'Set limits' })
  await form.getByLabel('Provider').waitFor()
  await waitForIdle(page)
  await form.getByLabel('Tokens per minute').focus()
  await page.keyboard.type('200000')
  await page.keyboard.press('Enter')
  await form.waitFor({ state: 'hidden' })
  await rowOf(page, 'All models').getByText('200,000').waitFor()
  expect(await readSidewaysScroll(page)).toBe(0)
  await page.getByRole('button', { name: 'Set limits' }).press('Enter')
  await form.getByText('Cluster has limits, which are replaced.').waitFor()
  await form.getByRole('combobox', { name: 'Model (optional)' }).fill('gemma3:4b')
  await form.getByText('which are replaced', { exact: false }).waitFor({ state: 'detached' })
})
