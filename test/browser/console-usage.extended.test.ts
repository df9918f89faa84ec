import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basicAuth } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { addPerson, administer, type Person, untilCallsRecorded, visitAs } from './administer.ts'
import { waitForPage } from './console-under-test.ts'
import { closeByEscape, readFocusedText, waitForIdle } from './in-page.ts'
import { cloudModel, type ModelsUnderTest, openModels, ownModel, rightKey } from './models-under-test.ts'

let database: TestDatabase
let models: ModelsUnderTest
let clara: Person
beforeAll(async () => {
  database = await createTestDatabase()
  models = await openModels({ OPENAI_API_KEY: rightKey }, { database })
  clara = await addPerson(models.tutti.platform, 'clara')
})
afterAll(async () => {
  await models[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

/** A model of a provider whose price is not known. */
const unpricedModel = 'acme-large'

type Credentials = Readonly<Record<'username' | 'password', string>>

/** Calls a model through the API, and waits for the response. */
async function askAs(person: Credentials, model: string, content: string): Promise<number> {
  const { platform } = models.tutti
  const response = await fetch(`${platform.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...basicAuth({ admin: person }), 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
  })
  await response.text()
  return response.status
}

/** Stores a model call of an account on an earlier day. */
async function remember(account: string, daysAgo: number, model: string, calls: number, cost: number | null) {
  await database.query(
    `
      insert into model_usage_days (account_id, day, provider, model, source, calls, failures, cancelled, cache_hits,
        unpriced_calls, input_tokens, cached_input_tokens, output_tokens, micro_dollars, latency_ms_sum,
        first_token_ms_sum, first_token_count)
      values ($1, (now() at time zone 'utc')::date - $2::int, $3, $4, 'gateway', $5, 0, 0, 0, $6, $7, 0, $8, $9, $10, $11, $5)
    `,
    [
      account,
      daysAgo,
      'openai',
      model,
      calls,
      cost === null ? calls : 0,
      calls * 100,
      calls * 10,
      cost ?? 0,
      calls * 2000,
      calls * 500,
    ],
  )
}

function cell(page: Page, name: string) {
  return page.locator('main dl > div').filter({ has: page.getByText(name, { exact: true }) })
}

const callRows = (page: Page) => page.getByRole('table', { name: 'Calls', exact: true }).locator('tbody tr')

test('a user without any calls is led to the playground', async () => {
  await using visit = await visitAs(models.tutti, clara, '/usage')
  const { page, complaints } = visit
  await waitForPage(page, 'Usage')
  await page.getByText('You made no model calls in this period.').waitFor()
  await page.getByText(/^\$0 of \$[\d.]+ spent$/).waitFor()
  expect(await page.getByRole('radiogroup', { name: 'Whose usage' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Open playground' }).click()
  await waitForPage(page, 'Playground')
  expect(complaints).toEqual([])
})

describe('the usage page', () => {
  beforeAll(async () => {
    const { platform } = models.tutti
    const { id: admin } = await administer<{ id: string }>(platform, 'GET', '/api/v1/user/profile')
    // 5 tokens for 11 that went in: 1.65 and 3 micro-dollars, rounded up to 5.
    expect(await askAs(platform.admin, cloudModel, 'Why?')).toBe(200)
    expect(await askAs(platform.admin, ownModel, 'Why?')).toBe(200)
    models.openai.script({ status: 400, message: 'No.' })
    expect(await askAs(platform.admin, cloudModel, 'How?')).toBe(400)
    expect(await askAs(clara, 'builtin:text', 'Why not?')).toBe(200)
    await untilCallsRecorded(platform, 4)
    await remember(admin, 3, cloudModel, 40, 2_000_000)
    await remember(admin, 3, unpricedModel, 10, null)
    await remember(admin, 20, cloudModel, 1, 500_000)
    await remember(admin, 60, cloudModel, 7, 1_000_000)
  })

  test('aggregates calls, failures, tokens, cost, unpriced calls, and the time to the first token', async () => {
    await using visit = await models.tutti.visit({ path: '/usage?range=7d' })
    const { page, complaints } = visit
    await waitForPage(page, 'Usage')
    await cell(page, 'Calls').getByText('53', { exact: true }).waitFor()
    await cell(page, 'Calls').getByText('1 failed').waitFor()
    await cell(page, 'Cost').getByText('$2.00', { exact: true }).waitFor()
    expect(await cell(page, 'Cost').getAttribute('title')).toBe('$2.000005')
    await cell(page, 'Cost').getByText('price unknown for 10 calls').waitFor()
    expect(await cell(page, 'First token').innerText()).toMatch(/\d+ ms/)
    await page.getByText('$0.000005 of $100.00 spent').waitFor()
    const meter = page.getByRole('meter', { name: 'Daily budget' })
    expect(await meter.getAttribute('aria-valuenow')).toBe('5')
    const row = page
      .getByRole('table', { name: 'Usage by model' })
      .getByRole('row')
      .filter({ hasText: unpricedModel })
    await row.getByText('price unknown', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('keeps the range in the URL, and counts only this range', async () => {
    await using visit = await models.tutti.visit({ path: '/usage' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    await cell(page, 'Cost').getByText('$2.50', { exact: true }).waitFor()
    await page.getByText('90 days', { exact: true }).click()
    await page.waitForURL('**/usage?range=90d')
    await cell(page, 'Cost').getByText('$3.50', { exact: true }).waitFor()
    await page.getByText('Today', { exact: true }).click()
    await cell(page, 'Cost').getByText('$0.000005', { exact: true }).waitFor()
    await page.reload()
    await cell(page, 'Calls').getByText('3', { exact: true }).waitFor()
    expect(await page.getByRole('slider').count()).toBe(0)
  })

  test('charts the days, and shows each by pointer, by keyboard and as a table', async () => {
    await using visit = await models.tutti.visit({ path: '/usage?range=7d' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    const chart = page.getByRole('figure', { name: 'Cost by model' })
    const days = chart.getByRole('slider')
    await chart.locator('canvas').waitFor()
    await days.focus()
    expect(await days.getAttribute('aria-valuenow')).toBe('7')
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key)
    expect(await days.getAttribute('aria-valuetext')).toMatch(/: gpt-4o-mini \$2\.00/)
    await page.getByText('Tokens', { exact: true }).click()
    await page.waitForURL('**measure=tokens**')
    const tokens = page.getByRole('figure', { name: 'Tokens by model' })
    const table = tokens.getByRole('table', { name: 'Tokens by model' })
    await expect.poll(() => table.getByRole('row').count()).toBe(3)
    await expect.poll(() => table.innerText()).toContain('4,400 tokens')
    await tokens.locator('canvas').waitFor()
    await waitForIdle(page)
    const box = await tokens.getByRole('slider').boundingBox()
    if (box === null) throw new Error('the chart is not there')
    const week = 7
    const plot = { left: box.x + 56, width: box.width - 56 - 20 }
    await page.mouse.move(plot.left + (plot.width / week) * 3.5, box.y + 100)
    await tokens.locator('figcaption').getByText('1,100 tokens').waitFor()
    await page.getByText('Providers', { exact: true }).last().click()
    await page
      .getByRole('figure', { name: 'Tokens by provider' })
      .getByText('Cluster', { exact: true })
      .first()
      .waitFor()
  })

  test('lists single calls, filters them, and opens one with all details', async () => {
    await using visit = await models.tutti.visit({ path: '/usage' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    await expect.poll(() => callRows(page).count()).toBe(3)
    await page.getByLabel('Outcome').selectOption('Failed')
    await page.waitForURL('**outcome=failed**')
    await expect.poll(() => callRows(page).count()).toBe(1)
    await callRows(page).getByRole('button', { name: cloudModel }).press('Enter')
    const drawer = page.getByRole('dialog', { name: `Call of ${cloudModel}` })
    await drawer.getByText('provider_refused').waitFor()
    await drawer.getByText('Gateway', { exact: true }).waitFor()
    const address = page.url()
    await closeByEscape(drawer)
    await expect.poll(() => readFocusedText(page)).toBe(cloudModel)
    await page.goto(address)
    await drawer.getByText('provider_refused').waitFor()
    await page.goto('/usage?model=unknown')
    await page.getByText('No calls match.').waitFor()
    await page.getByRole('button', { name: 'Show all calls' }).click()
    await expect.poll(() => callRows(page).count()).toBe(3)
    await page.goto('/usage?call=01a1de68-41e4-7a3d-8c94-3293b2ac3ade')
    await page.getByRole('dialog').getByText('No call has the ID').waitFor()
  })

  test('sorts the calls of all pages by cost, in the URL', async () => {
    await using visit = await models.tutti.visit({ path: '/usage' })
    const { page } = visit
    const cost = page
      .getByRole('table', { name: 'Calls', exact: true })
      .getByRole('columnheader', { name: 'Cost' })
    await cost.getByRole('button').click()
    await page.waitForURL('**calls.sort=-cost**')
    await expect.poll(() => cost.getAttribute('aria-sort')).toBe('descending')
    await expect.poll(() => callRows(page).first().innerText()).toContain('$0.000005')
    await callRows(page).first().getByRole('button', { name: cloudModel }).click()
    const drawer = page.getByRole('dialog', { name: `Call of ${cloudModel}` })
    await drawer.waitFor()
    expect(page.url()).toContain('calls.sort=-cost')
    await closeByEscape(drawer)
    await cost.getByRole('button').click()
    await page.waitForURL('**calls.sort=cost**')
    await expect.poll(() => callRows(page).first().innerText()).not.toContain('$0.000005')
  })

  test('shows the usage of all accounts to a model administrator', async () => {
    await using visit = await models.tutti.visit({ path: '/usage' })
    const { page } = visit
    await waitForPage(page, 'Usage')
    await page.getByText('Everyone’s usage').click()
    await page.waitForURL('**account=all**')
    const accounts = page.getByRole('table', { name: 'Usage by account' })
    await accounts
      .getByRole('row')
      .filter({ hasText: 'admin' })
      .getByText('price unknown for 10 calls')
      .waitFor()
    await accounts.getByRole('button', { name: 'Show only clara' }).click()
    await page.waitForURL(`**account=${clara.id}**`)
    await expect.poll(() => callRows(page).count()).toBe(1)
    await callRows(page).getByText('builtin:text').waitFor()
    await page.getByRole('button', { name: 'Account: clara. Show everyone’s usage' }).click()
    await expect.poll(() => callRows(page).count()).toBe(4)
  })

  test('refuses the usage of all accounts to other users', async () => {
    await using visit = await visitAs(models.tutti, clara, '/usage')
    const { page } = visit
    await expect.poll(() => callRows(page).count()).toBe(1)
    await page.goto('/usage?account=all')
    await page.getByRole('alert').getByText('administer llm', { exact: false }).waitFor()
  })
})
