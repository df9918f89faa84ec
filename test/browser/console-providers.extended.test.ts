import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson, administer, removeAll, visitAs } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { closeByEscape, readFocusedText } from './in-page.ts'
import { cloudModel, type ModelsUnderTest, openModels, ownModel, rightKey } from './models-under-test.ts'

let models: ModelsUnderTest
beforeAll(async () => {
  models = await openModels({
    TUTTI_SECRET: 'a secret of forty characters, for the test',
    ANTHROPIC_API_KEY: 'sk-ant-of-the-environment-wxyz',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  })
})
afterAll(() => models[Symbol.asyncDispose]())
beforeEach(() => removeAll(models.tutti.platform, '/api/v1/prices', 'data', 'provider', 'model'))

const rowOf = (page: Page, table: string, name: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: name })

async function openProvider(page: Page, name: string) {
  await rowOf(page, 'Providers', name).getByRole('button', { name, exact: true }).click()
  return page.getByRole('dialog', { name })
}

/** Removes a key that an earlier attempt has stored. */
async function removeKey(provider: string): Promise<void> {
  const { data } = await administer<{ data: readonly { name: string; key: { source: string | null } }[] }>(
    models.tutti.platform,
    'GET',
    '/api/v1/providers',
  )
  if (data.find(({ name }) => name === provider)?.key.source !== 'stored') return
  await administer(models.tutti.platform, 'DELETE', `/api/v1/providers/${provider}/key`)
}

describe('the providers page', () => {
  test('shows each provider with its key and its state', async () => {
    await using visit = await models.tutti.visit({ path: '/providers' })
    const { page, complaints } = visit
    await waitForPage(page, 'Providers')
    await rowOf(page, 'Providers', 'Cluster').getByText('Online').waitFor()
    await rowOf(page, 'Providers', 'Built in').getByText('Not required').waitFor()
    await rowOf(page, 'Providers', 'Anthropic').getByText('Offline').waitFor()
    await rowOf(page, 'Providers', 'Anthropic').getByText('ANTHROPIC_API_KEY, ends with wxyz').waitFor()
    const drawer = await openProvider(page, 'Anthropic')
    await drawer.getByText('which overrides a stored key', { exact: false }).waitFor()
    await drawer.getByText('http://127.0.0.1:9', { exact: true }).waitFor()
    expect(await drawer.getByLabel('API key').count()).toBe(0)
    await closeByEscape(drawer)
    await expect.poll(() => readFocusedText(page)).toBe('Anthropic')
    expect(complaints).toEqual([])
  })

  test('stores a key, validates it at once, and never shows it', async () => {
    await removeKey('openai')
    await using visit = await models.tutti.visit({ path: '/providers' })
    const { page } = visit
    await waitForPage(page, 'Providers')
    const drawer = await openProvider(page, 'OpenAI')
    await drawer.getByRole('button', { name: 'Store key' }).click()
    await drawer.getByText('Must not be empty.').waitFor()
    await drawer.getByLabel('API key', { exact: true }).fill('sk-this-one-is-wrong-0999')
    await drawer.getByRole('button', { name: 'Store key' }).click()
    await drawer.getByText('Stored, ends with 0999').waitFor()
    await drawer.getByText('Offline', { exact: true }).waitFor()
    await expect.poll(() => drawer.getByLabel('New API key', { exact: true }).inputValue()).toBe('')
    await drawer.getByLabel('New API key', { exact: true }).fill(rightKey)
    await drawer.getByRole('button', { name: 'Replace key' }).click()
    await drawer.getByText('Stored, ends with 0abc').waitFor()
    await drawer.getByText('Online', { exact: true }).waitFor()
    await drawer.getByText(cloudModel, { exact: true }).waitFor()
    await drawer.getByText(/ago by admin|now by admin/).waitFor()
    await drawer.getByRole('link', { name: `Try ${cloudModel}` }).click()
    await page.waitForURL(`**/playground?model=${cloudModel}`)
    await page.goto('/providers?provider=openai')
    await drawer.getByText('Stored, ends with 0abc').waitFor()
    expect(await page.content()).not.toContain(rightKey)
    await drawer.getByRole('button', { name: 'Remove key…' }).click()
    const question = page.getByRole('dialog', { name: 'Remove the key of OpenAI?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'hidden' })
    await drawer.getByRole('button', { name: 'Remove key…' }).click()
    await question.getByRole('button', { name: 'Remove key' }).click()
    await question.waitFor({ state: 'hidden' })
    await drawer.getByRole('button', { name: 'Store key' }).waitFor()
  })

  test('checks a provider on request', async () => {
    await using visit = await models.tutti.visit({ path: '/providers' })
    const { page } = visit
    await waitForPage(page, 'Providers')
    await rowOf(page, 'Providers', 'Cluster').getByText('Online').waitFor()
    await models.node.behave('refuse')
    try {
      await expect
        .poll(async () => {
          await page.getByRole('button', { name: 'Check now Cluster' }).click()
          return await rowOf(page, 'Providers', 'Cluster').innerText()
        })
        .not.toContain('Online')
      expect(await page.getByRole('dialog').count()).toBe(0)
    } finally {
      await models.node.behave('normal')
    }
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Check now Cluster' }).click()
        return await rowOf(page, 'Providers', 'Cluster').innerText()
      })
      .toContain('Online')
  })

  test('sets the price of a model, reports an invalid amount, and removes a price', async () => {
    await using visit = await models.tutti.visit({ path: '/providers' })
    const { page } = visit
    await waitForPage(page, 'Providers')
    await rowOf(page, 'Prices', ownModel).getByText('Free').waitFor()
    await rowOf(page, 'Prices', ownModel).getByRole('button', { name: ownModel }).click()
    const drawer = page.getByRole('dialog', { name: ownModel })
    await drawer.getByLabel('Input', { exact: true }).fill('a little')
    await drawer.getByLabel('Output').fill('0.2')
    await drawer.getByRole('button', { name: 'Set price' }).click()
    await drawer
      .getByText(
        'Must be dollars for a million tokens: 0 or more, below ten million, with at most six decimals.',
        { exact: true },
      )
      .waitFor()
    await drawer.getByLabel('Input', { exact: true }).fill('0.05')
    await drawer.getByRole('button', { name: 'Set price' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const row = rowOf(page, 'Prices', ownModel)
    await row.getByText('Custom').waitFor()
    expect(await row.innerText()).toMatch(/\$0\.05\s+\$0\.05\s+\$0\.20/)
    await row.getByRole('button', { name: ownModel }).click()
    await drawer.getByText('by admin', { exact: false }).waitFor()
    await drawer.getByRole('button', { name: 'Remove price…' }).click()
    await page
      .getByRole('dialog', { name: `Remove the price of ${ownModel}?` })
      .getByRole('button', { name: 'Remove price' })
      .click()
    await row.getByText('Free').waitFor()
  })

  test('sets prices of models that no provider has yet, and finds them by a part of their name', async () => {
    await using visit = await models.tutti.visit({ path: '/providers' })
    const { page } = visit
    await waitForPage(page, 'Providers')
    await page.getByRole('button', { name: 'Set price' }).click()
    const drawer = page.getByRole('dialog', { name: 'Set price' })
    await drawer.getByLabel('Provider').selectOption('OpenAI')
    await drawer.getByLabel('Model').fill('acme/large "2"')
    await drawer.getByLabel('Input', { exact: true }).fill('3')
    await drawer.getByLabel('Output').fill('9')
    await drawer.getByRole('button', { name: 'Set price' }).click()
    await drawer.waitFor({ state: 'hidden' })
    expect(await administer(models.tutti.platform, 'GET', '/api/v1/prices')).toMatchObject({
      data: [{ provider: 'openai', model: 'acme/large "2"', input: 3, cached_input: 3, output: 9 }],
    })
    await page.getByLabel('Search models').fill('ACME')
    await page.waitForURL('**search=ACME**')
    await rowOf(page, 'Prices', 'acme/large').getByText('not available').waitFor()
    await expect.poll(() => page.getByRole('table', { name: 'Prices' }).getByRole('row').count()).toBe(2)
    await rowOf(page, 'Prices', 'acme/large').getByRole('button').click()
    await closeByEscape(page.getByRole('dialog'))
    await expect.poll(() => readFocusedText(page)).toBe('acme/large "2"')
    await page.getByLabel('Search models').fill('nothing like this')
    await page.getByText('No models match “nothing like this”.').waitFor()
    await page.getByRole('button', { name: 'Show all models' }).click()
    await rowOf(page, 'Prices', ownModel).waitFor()
  })
})

test('a user without the permission for models sees the required permission', async () => {
  const person = await addPerson(models.tutti.platform, 'paul')
  await using visit = await visitAs(models.tutti, person, '/providers')
  await visit.page.getByText('requires the permission “administer llm”', { exact: false }).waitFor()
  expect(await visit.page.getByRole('link', { name: 'Providers', exact: true }).count()).toBe(0)
})
