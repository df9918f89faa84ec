import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { administer, untilCallsRecorded } from './administer.ts'
import {
  cellOf,
  type HealthUnderTest,
  incidentRow,
  openHealth,
  serviceRow,
  waitForHealth,
} from './console-health-under-test.ts'
import { readTop } from './in-page.ts'

let database: TestDatabase
let health: HealthUnderTest
beforeAll(async () => {
  database = await createTestDatabase()
  health = await openHealth({ database })
  await health.reset()
  // The first probes ran before the test set the thresholds.
  await database.query('delete from status_history')
  await health.probe()
})
afterAll(async () => {
  await health[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})
beforeEach(() => health.reset())

const state = (row: Locator, word: string) => row.getByText(word, { exact: true }).waitFor()

/** The last two values of a chart: the last interval may have started after the action of a test. */
async function readLatest(chart: Locator): Promise<(string | null)[]> {
  const told = []
  for (const key of ['End', 'ArrowLeft']) {
    await chart.press(key)
    told.push(await chart.getAttribute('aria-valuetext'))
  }
  return told
}

async function openPage(path = '/health') {
  const visit = await health.tutti.visit({ path })
  await waitForHealth(visit.page)
  return visit
}

describe('the health page', () => {
  test('shows the score and its components, and every service with its state and times', async () => {
    await using visit = await openPage()
    const { page, complaints } = visit
    await cellOf(page, 'State').getByText('Healthy', { exact: true }).waitFor()
    await cellOf(page, 'Score').getByText('100 of 100').waitFor()
    await cellOf(page, 'Score').getByText('6 of 6 services online').waitFor()
    for (const name of ['Database', 'Work queue', 'Disk', 'Cluster', 'OpenAI', 'Vector database']) {
      await state(serviceRow(page, name), 'Online')
    }
    await state(serviceRow(page, 'Anthropic'), 'Not configured')
    await expect.poll(() => serviceRow(page, 'Database').innerText()).toMatch(/\d ms/)
    const bars = serviceRow(page, 'Database').getByRole('img')
    await expect.poll(() => bars.getAttribute('aria-label')).toMatch(/^Database, 24 hours: [\d.]+ % up; /)
    const { width = 0 } = (await bars.boundingBox()) ?? {}
    // The last bar, or the one before it: a quarter of an hour may have ended since the last probe.
    await expect
      .poll(async () => {
        const told = []
        for (const place of [95, 94]) {
          await bars.hover({ position: { x: ((place + 0.5) / 96) * width, y: 10 } })
          told.push(await bars.locator('title').textContent())
        }
        return told
      })
      .toContainEqual(expect.stringMatching(/^\d\d:\d\d to \d\d:\d\d: 100 % up$/))
    await bars.hover({ position: { x: 1, y: 10 } })
    await expect
      .poll(() => bars.locator('title').textContent())
      .toMatch(/^\d\d:\d\d to \d\d:\d\d: not checked$/)

    await page.getByText('Score calculation').first().click()
    const parts = page.getByRole('table', { name: 'Score calculation' })
    const first = parts.getByRole('row').filter({ hasText: /^Database/ })
    expect(await first.innerText()).toContain('35.3 of 35.3')
    expect(await parts.getByRole('row').filter({ hasText: 'Anthropic' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('an offline provider is shown at once with its incident, and again when it recovers; nothing jumps', async () => {
    await using visit = await openPage()
    const { page } = visit
    const openai = serviceRow(page, 'OpenAI')
    const below = page.getByRole('heading', { name: 'Models', exact: true })
    const before = [await readTop(openai), await readTop(below)]

    await health.leave()
    await health.probe()
    await state(openai, 'Offline')
    await cellOf(page, 'State').getByText('Degraded', { exact: true }).waitFor()
    await cellOf(page, 'State').getByText('Offline: OpenAI').waitFor()
    await cellOf(page, 'Score').getByText('88 of 100').waitFor()
    await incidentRow(page, 'OpenAI').getByText('Investigating').waitFor()
    expect([await readTop(openai), await readTop(below)]).toEqual(before)

    await health.comeBack()
    await health.probe()
    await state(openai, 'Online')
    await cellOf(page, 'State').getByText('Healthy', { exact: true }).waitFor()
    await incidentRow(page, 'OpenAI').first().getByText('Resolved').waitFor()
    expect([await readTop(openai), await readTop(below)]).toEqual(before)
  })

  test('a slow service is degraded, not offline', async () => {
    await using visit = await openPage()
    const { page } = visit
    health.vectors.behave('slow')
    await health.configure({ slow_ms: { vector_db: 300 } })
    await health.probe()
    await state(serviceRow(page, 'Vector database'), 'Degraded')
    await cellOf(page, 'State').getByText('Degraded: Vector database').waitFor()
  })

  test('a cluster whose only node is offline is offline, and so is its row', async () => {
    await using visit = await openPage()
    const { page } = visit
    await health.node.behave('refuse')
    await expect
      .poll(
        async () => {
          await health.probe()
          return await serviceRow(page, 'Cluster').innerText()
        },
        { interval: 500 },
      )
      .toContain('Offline')
    await cellOf(page, 'Score').getByText('82 of 100').waitFor()
  })

  test('one service shows its current state, its history by arrow keys and its incidents; Escape returns to its row', async () => {
    await health.leave()
    await health.probe()
    await using visit = await openPage()
    const { page } = visit
    await serviceRow(page, 'OpenAI').getByRole('button').press('Enter')
    const drawer = page.getByRole('dialog', { name: 'OpenAI' })
    await drawer
      .getByText(/cannot be reached/)
      .first()
      .waitFor()
    await page.waitForURL('**/health?service=openai')

    const bars = drawer.getByRole('slider', { name: 'Uptime, bar by bar' })
    await expect
      .poll(() => readLatest(bars))
      .toContainEqual(expect.stringMatching(/^\d\d:\d\d to \d\d:\d\d: .* of \d+ checks failed$/))
    const [earlier, now] = [
      await bars.getAttribute('aria-valuenow'),
      await bars.getAttribute('aria-valuemax'),
    ]
    expect([earlier, now]).toEqual(['95', '96'])
    await drawer
      .getByRole('table', { name: 'Latest checks' })
      .getByText(/of \d+ online/)
      .first()
      .waitFor()

    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
    await serviceRow(page, 'OpenAI').locator('button:focus').waitFor()

    await serviceRow(page, 'OpenAI').getByRole('button').press('Enter')
    await drawer.getByRole('button', { name: 'OpenAI models are not available' }).first().click()
    await page.getByRole('dialog', { name: 'OpenAI models are not available' }).waitFor()
    await page.waitForURL(/\?incident=/)
  })

  test('shows 30 and 90 days, and the URL keeps the range', async () => {
    await remember('database', 3, { online: 100, degraded: 0, offline: 20 })
    await remember('database', 60, { online: 10, degraded: 110, offline: 0 })
    await using visit = await openPage('/health?range=30d')
    const { page } = visit
    // Besides these days that of the other probes, or two if it ended meanwhile.
    const bars = () => serviceRow(page, 'Database').getByRole('img').getAttribute('aria-label')
    await expect.poll(bars).toMatch(/^Database, 30 days: .* offline in 1 of [23] bars$/)
    await page.getByRole('radiogroup', { name: 'Time range' }).getByText('90 days').click()
    await page.waitForURL('**/health?range=90d')
    await expect.poll(bars).toMatch(/^Database, 90 days: .* offline in 1, degraded in 1 of [34] bars$/)
    const tokens = page.getByRole('slider', { name: 'Tokens, step by step' })
    await expect.poll(() => tokens.getAttribute('aria-valuemax')).toBe('90')
    await page.reload()
    await expect.poll(bars).toMatch(/^Database, 90 days/)
  })

  test('charts are read by arrow keys, and as tables by screen readers', async () => {
    await administer(health.tutti.platform, 'POST', '/v1/chat/completions', {
      model: 'builtin:text',
      messages: [{ role: 'user', content: 'The sea is calm tonight.' }],
    })
    await untilCallsRecorded(health.tutti.platform, 1)
    await using visit = await openPage()
    const { page } = visit
    const tokens = page.getByRole('slider', { name: 'Tokens, step by step' })
    await expect
      .poll(() => readLatest(tokens))
      .toContainEqual(expect.stringMatching(/^\d\d:00 to \d\d:00: In [1-9]\d*, Out [1-9]\d*$/))
    await tokens.press('Home')
    await expect.poll(() => tokens.getAttribute('aria-valuetext')).toMatch(/: In 0, Out 0$/)
    const times = page.getByRole('table', { name: 'Response time', includeHidden: true })
    // Below its header one row for the current hour, or two.
    await expect.poll(() => times.getByRole('row').count()).toBeOneOf([2, 3])
    const models = page.getByRole('table', { name: 'Models', exact: true })
    expect(await models.getByRole('row').filter({ hasText: 'builtin:text' }).innerText()).toMatch(/Built in/)
  })

  test('refreshes every 30 seconds while no events arrive', async () => {
    await using visit = await health.tutti.visit({ own: true })
    const { page } = visit
    await page.clock.install()
    await page.route('**/api/v1/events/stream*', (route) => route.abort())
    await page.goto('/health')
    await page.getByRole('status').getByText('Reconnecting').waitFor()
    await state(serviceRow(page, 'OpenAI'), 'Online')
    await health.leave()
    await health.probe()
    await page.clock.runFor(31_000)
    await state(serviceRow(page, 'OpenAI'), 'Offline')
  })

  test('checks are configured, and the score follows', async () => {
    await health.leave()
    await health.probe()
    await using visit = await openPage()
    const { page } = visit
    await cellOf(page, 'Score').getByText('88 of 100').waitFor()
    await page.getByRole('button', { name: 'Configure checks' }).click()
    const drawer = page.getByRole('dialog', { name: 'Checks' })
    await drawer.getByLabel('OpenAI: weight').fill('0')
    await drawer.getByLabel('Every', { exact: true }).fill('1')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByText('Must be at least 10.').waitFor()
    await drawer.getByLabel('Every', { exact: true }).fill('300')
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.waitFor({ state: 'detached' })
    await cellOf(page, 'Score').getByText('100 of 100').waitFor()
    // A healthy platform has no offline service, whatever its weight.
    await cellOf(page, 'State').getByText('Degraded', { exact: true }).waitFor()
    const config = await administer<{ interval_seconds: number; weights: object }>(
      health.tutti.platform,
      'GET',
      '/admin/llm/config',
    )
    expect(config).toMatchObject({
      interval_seconds: 300,
      timeout_seconds: 20,
      weights: { openai: 0, mcp: 5 },
    })
  })

  test('a button runs all checks at once', async () => {
    await using visit = await openPage()
    const { page } = visit
    await health.leave()
    await page.getByRole('button', { name: 'Check now' }).click()
    await state(serviceRow(page, 'OpenAI'), 'Offline')
  })
})

/** Stores probes of a service on an earlier day. */
async function remember(
  service: string,
  daysAgo: number,
  { online, degraded, offline }: { online: number; degraded: number; offline: number },
): Promise<void> {
  await database.query(
    `
      insert into status_history (service, grain, at, online, degraded, offline, timed, sum_ms, max_ms, took)
      select $1, 'hour', date_trunc('hour', now()) - $2 * interval '1 day', $3::int, $4::int, $5::int, $3::int,
        $3::int * 2.0, 4,
        array_fill(0, array[array_length(took, 1)])
      from status_history limit 1
      on conflict do nothing
    `,
    [service, daysAgo, online, degraded, offline],
  )
}
