import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer, untilCallsRecorded } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'
import { cloudModel, type ModelsUnderTest, openModels, rightKey } from './models-under-test.ts'

interface CreatedKey {
  readonly id: string
  readonly key: string
}

let models: ModelsUnderTest
let script: CreatedKey

beforeAll(async () => {
  models = await openModels({ OPENAI_API_KEY: rightKey })
  const { platform } = models.tutti
  const create = (body: object) => administer<CreatedKey>(platform, 'POST', '/api/v1/api-keys', body)
  script = await create({
    name: 'Nightly report',
    limits: { micro_dollars_per_day: 10, micro_dollars_total: 2_000_000 },
  })
  await create({ name: 'Shop', limits: { micro_dollars_per_month: 50_000_000 } })
  await create({ name: 'Notebook' })
  for (const credentials of [{ 'x-api-key': script.key }, basic(platform.admin)]) {
    const response = await fetch(`${platform.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...credentials, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: cloudModel,
        messages: [{ role: 'user', content: 'Why?' }],
        max_completion_tokens: 10,
      }),
    })
    await response.text()
    expect(response.status).toBe(200)
  }
  await untilCallsRecorded(platform, 2)
})
afterAll(() => models[Symbol.asyncDispose]())

const basic = ({ username, password }: { readonly username: string; readonly password: string }) => ({
  authorization: `Basic ${btoa(`${username}:${password}`)}`,
})

describe('the budgets of API keys', () => {
  test('are listed on the usage page, for keys that have one', async () => {
    await using visit = await models.tutti.visit({ path: '/usage' })
    const { page, complaints } = visit
    await waitForPage(page, 'Usage')
    const table = page.getByRole('table', { name: 'API key budgets' })
    await table.getByText('Nightly report').waitFor()
    const row = table.getByRole('row').filter({ hasText: 'Nightly report' })
    await row.getByText('$0.000005 of $0.00001', { exact: true }).waitFor()
    const meter = row.getByRole('meter', { name: 'Nightly report: Today' })
    expect(await meter.getAttribute('aria-valuenow')).toBe('5')
    await table
      .getByRole('row')
      .filter({ hasText: 'Shop' })
      .getByText('$0 of $50.00', { exact: true })
      .waitFor()
    expect(await table.getByText('Notebook').count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('lead to the usage of a key, as its row on the page of keys does', async () => {
    await using visit = await models.tutti.visit({ path: '/api-keys' })
    const { page, complaints } = visit
    await waitForPage(page, 'API keys')
    await page.getByRole('link', { name: 'Usage of Nightly report' }).click()
    await waitForPage(page, 'Usage')
    await page.waitForURL(`**/usage?key=${script.id}`)
    const calls = page.getByRole('table', { name: 'Calls', exact: true }).locator('tbody tr')
    await expect.poll(() => calls.count()).toBe(1)
    await page.getByRole('button', { name: /^API key: Nightly report/ }).click()
    await expect.poll(() => calls.count()).toBe(2)
    await page
      .getByRole('table', { name: 'API key budgets' })
      .getByRole('link', { name: 'Nightly report' })
      .click()
    await expect.poll(() => calls.count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test.each(['/usage', '/api-keys'])('axe reports no problem with %s in any look', async (path) => {
    await using visit = await models.tutti.visit({ path })
    const { page } = visit
    await page.getByText('Nightly report').first().waitFor()
    await waitForStillness(page)
    expect(await findViolations(page), 'light').toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page), 'dark').toEqual([])
    for (const width of [900, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await waitForStillness(page)
      expect(await readSidewaysScroll(page), `on ${width} pixels`).toBe(0)
    }
  })
})
