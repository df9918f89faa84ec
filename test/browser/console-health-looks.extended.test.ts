import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type HealthUnderTest, openHealth, serviceRow, waitForHealth } from './console-health-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, readTop, switchColours, waitForStillness } from './in-page.ts'

let health: HealthUnderTest
beforeAll(async () => {
  health = await openHealth()
  await administer(health.tutti.platform, 'POST', '/v1/chat/completions', {
    model: 'builtin:text',
    messages: [{ role: 'user', content: 'The sea is calm tonight.' }],
  })
  await health.configure({ slow_ms: { database: 1 } })
  await health.probe()
  await health.leave()
  await health.probe()
  await administer(health.tutti.platform, 'POST', '/admin/llm/incidents', {
    title:
      'A cable of the first rack is loose and makes answers of models slow in a way that takes two lines to tell',
    message: 'We look into it.\nMore at noon.',
    services: ['database', 'queue', 'disk', 'ollama', 'openai', 'anthropic', 'gemini', 'vector_db', 'mcp'],
  })
})
afterAll(() => health[Symbol.asyncDispose]())

const widths = [1280, 1040, 900, 800, 560, 360]

async function inAllLooks(page: Page): Promise<void> {
  expect(await findViolations(page), 'light').toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page), 'dark').toEqual([])
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await waitForStillness(page)
    expect(await readSidewaysScroll(page), `on ${width} pixels`).toBe(0)
  }
  expect(await findViolations(page), 'dark, on 360 pixels').toEqual([])
}

describe('the health page during an outage', () => {
  test('axe reports no problem with the page, and nothing is cut off on any screen', async () => {
    await using visit = await health.tutti.visit({ path: '/health' })
    const { page } = visit
    await waitForHealth(page)
    await serviceRow(page, 'OpenAI').getByText('Offline', { exact: true }).waitFor()
    await page.getByText('Score calculation').first().click()
    await page.getByRole('slider', { name: 'Response time, step by step' }).locator('canvas').waitFor()
    await inAllLooks(page)
  })

  test.each([
    ['an open service', '/health?service=openai', 'Latest checks'],
    ['an incident being opened', '/health?create=incident', 'Impact'],
    ['the checks being configured', '/health?configure=true', 'Damping'],
  ])('axe reports no problem with %s', async (_, path, text) => {
    await using visit = await health.tutti.visit({ path })
    const { page } = visit
    await page.getByRole('dialog').getByText(text, { exact: true }).first().waitFor()
    await inAllLooks(page)
  })

  test('axe reports no problem with an open incident', async () => {
    await using visit = await health.tutti.visit({ path: '/health' })
    const { page } = visit
    await page
      .getByRole('table', { name: 'Incidents' })
      .getByRole('button', { name: /^A cable/ })
      .click()
    await page.getByRole('dialog').getByText('We look into it.').waitFor()
    await inAllLooks(page)
  })

  test('reserves the space of every part before the data arrives, and nothing shifts', async () => {
    await using visit = await health.tutti.visit()
    const { page } = visit
    const gate = Promise.withResolvers<void>()
    await page.route(/\/(?:admin|api)\/llm\//, async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.goto('/health')
    await page.getByRole('table', { name: 'Services', exact: true }).getByRole('row').nth(8).waitFor()
    const charts = page.getByRole('heading', { name: 'Response time', exact: true })
    const models = page.getByRole('heading', { name: 'Models', exact: true })
    const before = [await readTop(charts), await readTop(models)]
    gate.resolve()
    await serviceRow(page, 'OpenAI').getByRole('img').waitFor()
    await page.getByRole('slider', { name: 'Tokens, step by step' }).locator('canvas').waitFor()
    expect([await readTop(charts), await readTop(models)]).toEqual(before)
  })
})
