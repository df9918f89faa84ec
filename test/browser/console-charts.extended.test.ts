import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addEnded, someFacts, someStep } from '../database/engine-history-setting.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'

const opened = new AsyncDisposableStack()
let database: TestDatabase
let tutti: ConsoleUnderTest
beforeAll(async () => {
  database = opened.use(await createTestDatabase())
  tutti = opened.use(await openConsole({}, { database }))
  const { id } = await administer<{ id: string }>(tutti.platform, 'GET', '/api/v1/user/profile')
  await addHistory(id)
})
afterAll(() => opened.disposeAsync())

const quarterMs = 900_000

/** Ended executions of two days: completed and failed ones, with cost and tokens. */
async function addHistory(account_id: string): Promise<void> {
  const now = Date.now()
  const facts = Array.from({ length: 150 }, (_, index) => {
    const failed = index % 7 === 3
    return someFacts({
      flow_id: index % 3 === 0 ? 'content_quality_review' : 'summarise_and_translate',
      account_id,
      finishedAt: new Date(now - (index + 1) * 1.2 * quarterMs - (index % 5) * 40_000),
      status: failed ? 'failed' : index % 31 === 5 ? 'cancelled' : 'completed',
      error_code: failed ? (index % 2 === 0 ? 'TIMEOUT' : 'PROVIDER_ERROR') : null,
      duration_ms: 800 + (index % 13) * 450,
      spent: 900 + (index % 11) * 400,
      steps: [someStep({ input_tokens: 200 + (index % 9) * 80, output_tokens: 90 + (index % 4) * 50 })],
    })
  })
  await addEnded(database, facts)
  await database.query(
    `update engine_executions set error = json_build_object('code', facts ->> 'error_code', 'message', 'The provider did not answer.')
     where status = 'failed'`,
  )
}

async function openOverview(width = 1280) {
  const visit = await tutti.visit({ path: '/', viewport: { width, height: 900 } })
  await waitForPage(visit.page, 'Overview')
  const runs = visit.page.getByRole('figure', { name: 'Runs' })
  await runs.locator('canvas').waitFor()
  return { ...visit, runs, plot: runs.getByRole('slider'), [Symbol.asyncDispose]: visit[Symbol.asyncDispose] }
}

/** Moves the mouse to a share of the width of a plot. */
async function pointAt(page: Page, plot: Locator, share: number): Promise<void> {
  const box = await plot.boundingBox()
  if (box === null) throw new Error('the plot is not visible')
  // The axis at the left is no part of the plotting area.
  await page.mouse.move(box.x + 60 + (box.width - 80) * share, box.y + 60)
}

const zoomed = /[?&]from=.*&to=/

/** The different colours on the canvas of the chart of runs. */
async function readColours(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => {
    const canvas = document.querySelector('figure[aria-label="Runs"] canvas')
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const colours = new Set()
    for (let at = 0; at < data.length; at += 4) {
      if (data[at + 3] === 255) colours.add(data.slice(at, at + 3).join())
    }
    return [...colours]
  })()`)
}

describe('a chart', () => {
  test('is read, zoomed and reset with the mouse, together with the charts of its group', async () => {
    await using visit = await openOverview()
    const { page, runs, plot, complaints } = visit
    const legend = runs.locator('figcaption')
    await legend.getByText('Last 24 hours').waitFor()
    await legend.getByText('24 hours before').waitFor()
    await pointAt(page, plot, 0.5)
    await legend.getByText(/ to /).waitFor()
    const tokens = page.getByRole('figure', { name: 'Tokens' }).locator('figcaption')
    const pointedAt = await legend.locator('strong').innerText()
    await expect.poll(() => tokens.locator('strong').innerText()).toBe(pointedAt)
    await page.mouse.down()
    await pointAt(page, plot, 0.75)
    await page.mouse.up()
    await page.waitForURL(zoomed)
    await runs.getByRole('button', { name: 'Reset zoom' }).waitFor()
    await page.getByRole('link', { name: 'View these runs' }).waitFor()
    const plotOfTokens = page.getByRole('figure', { name: 'Tokens' }).getByRole('slider')
    await expect
      .poll(
        async () =>
          (await plot.getAttribute('aria-valuemax')) === (await plotOfTokens.getAttribute('aria-valuemax')),
      )
      .toBe(true)
    await page.reload()
    await runs.getByRole('button', { name: 'Reset zoom' }).waitFor()
    await plot.dblclick()
    await expect.poll(() => page.url()).not.toMatch(zoomed)
    await expect.poll(() => plot.getAttribute('aria-valuemax')).toBe('96')
    expect(complaints).toEqual([])
  })

  test('is read, zoomed and reset with the keyboard', async () => {
    await using visit = await openOverview()
    const { page, runs, plot, complaints } = visit
    await plot.focus()
    await page.keyboard.press('Home')
    expect(await plot.getAttribute('aria-valuenow')).toBe('1')
    await page.keyboard.press('ArrowRight')
    expect(await plot.getAttribute('aria-valuetext')).toMatch(/ to .*Completed \d+, Failed \d+/)
    for (let step = 0; step < 7; step += 1) await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Enter')
    await page.waitForURL(zoomed)
    await expect.poll(() => plot.getAttribute('aria-valuemax')).toBe('8')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.url()).not.toMatch(zoomed)
    await runs.getByRole('button', { name: 'Reset zoom' }).waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('is as wide as its frame, also when the window or the navigation changes', async () => {
    await using visit = await openOverview()
    const { page, plot } = visit
    const widths = async () => {
      const [frame, canvas] = [await plot.boundingBox(), await plot.locator('canvas').boundingBox()]
      return { frame: Math.floor(frame?.width ?? 0), canvas: Math.floor(canvas?.width ?? -1) }
    }
    const first = await widths()
    for (const change of [
      () => page.setViewportSize({ width: 700, height: 900 }),
      () => page.setViewportSize({ width: 1200, height: 900 }),
      () => page.getByRole('button', { name: 'Collapse navigation' }).click(),
    ]) {
      const { frame: before } = await widths()
      await change()
      await expect.poll(async () => (await widths()).frame).not.toBe(before)
      await expect
        .poll(async () => {
          const { frame, canvas } = await widths()
          return canvas - frame
        })
        .toBe(0)
    }
    expect(first.canvas).toBe(first.frame)
  })

  test('has its data in a table, and its colours from the colour scheme', async () => {
    await using visit = await openOverview()
    const { page, runs } = visit
    const table = runs.getByRole('table', { name: 'Runs' })
    await expect
      .poll(() => table.getByRole('columnheader').allInnerTexts())
      .toEqual(['Time', 'Completed', 'Failed', 'Cancelled', '24 hours before'])
    expect(await table.getByRole('row').count()).toBeGreaterThan(40)
    await expect.poll(async () => (await readColours(page)).length).toBeGreaterThan(3)
    const light = await readColours(page)
    await switchColours(page, 'dark')
    await expect.poll(() => readColours(page)).not.toEqual(light)
  })

  test('shows another period on request', async () => {
    await using visit = await openOverview()
    const { page, runs, plot } = visit
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('7 d').click()
    await page.waitForURL('**/?timeframe=7d')
    await runs.getByText('Last 7 days').waitFor()
    await expect.poll(() => plot.getAttribute('aria-valuemax')).toBe('168')
  })
})

describe.each(['light', 'dark'] as const)('the overview with runs in %s', (colorScheme) => {
  test.each([1280, 390])('breaks no rule at %d px', async (width) => {
    await using visit = await tutti.visit({ path: '/', viewport: { width, height: 900 }, colorScheme })
    const { page } = visit
    await waitForPage(page, 'Overview')
    await page.getByRole('figure', { name: 'Runs' }).locator('canvas').waitFor()
    await page.getByRole('table', { name: 'Failures', exact: true }).waitFor()
    expect(await readSidewaysScroll(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
  })
})
