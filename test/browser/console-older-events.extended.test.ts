import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEvents } from '#kernel/events'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createTestDatabase } from '../support/test-database.ts'
import { stopChecks } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape, readFocusedText, readScroll } from './in-page.ts'

const pageSize = 200
const playedCount = 250
const restedCount = 170

let tutti: ConsoleUnderTest
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  const database = opened.use(await createTestDatabase())
  const log = createLogger({ level: 'silent', format: 'json' })
  await using events = createEvents({ database, log, metrics: createMetrics() })
  await events.append([...eventsOf('note.rested', restedCount), ...eventsOf('note.played', playedCount)])
  tutti = opened.use(await openConsole({}, { database }))
  await stopChecks(tutti.platform)
})
afterAll(() => opened.disposeAsync())

function eventsOf(type: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({ type, subject: `${type} ${index}`, data: {} }))
}

const rows = (page: Page) => page.getByRole('table', { name: 'Events' }).locator('tbody tr')
const showOlder = (page: Page) => page.getByRole('button', { name: 'Show older events' })
const waitForRows = (page: Page, count: number) => expect.poll(() => rows(page).count()).toBe(count)

/** The index of the focused row. */
async function readFocusedRow(page: Page): Promise<number> {
  return await page.evaluate<number>(
    '[...document.querySelectorAll("tbody tr")].findIndex((row) => row.contains(document.activeElement))',
  )
}

describe('events older than the newest page', () => {
  test('load a page at a time by keyboard alone, down to the first one, and the page never moves', async () => {
    await using visit = await tutti.visit({ path: '/events' })
    const { page } = visit
    await waitForPage(page, 'Events')
    await rows(page).first().getByRole('button').focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => readFocusedRow(page)).toBe(1)
    const pressShowOlder = async () => {
      await page.keyboard.press('End')
      await page.keyboard.press('Tab')
      await expect.poll(() => readFocusedText(page)).toBe('Show older events')
      const scroll = await readScroll(page)
      await page.keyboard.press('Enter')
      return scroll
    }
    const scroll = await pressShowOlder()
    await expect.poll(() => readFocusedRow(page)).toBe(pageSize)
    expect(await readScroll(page)).toBe(scroll)
    expect(await rows(page).count()).toBe(2 * pageSize)
    await pressShowOlder()
    await page.getByText('The log begins here.', { exact: true }).waitFor()
    expect(await showOlder(page).count()).toBe(0)
    expect(await rows(page).last().innerText()).toContain('note rested: note.rested 0')
  })

  test('load with the type filter', async () => {
    await using visit = await tutti.visit({ path: '/events?type=note.played' })
    const { page } = visit
    await page.getByText(`Newest ${pageSize} of ${playedCount}`).waitFor()
    await showOlder(page).click()
    await page.getByText('The log has no older event of type note.played.').waitFor()
    await waitForRows(page, playedCount)
    expect(await page.getByText('note.rested').count()).toBe(0)
    await page.goto('/events?type=note.rested')
    await page.getByText('The log has no older event of type note.rested.').waitFor()
    await waitForRows(page, restedCount)
  })

  test('stay while rows are opened, and the focus returns to the last opened row', async () => {
    await using visit = await tutti.visit({ path: '/events' })
    const { page } = visit
    await waitForPage(page, 'Events')
    await showOlder(page).click()
    await expect.poll(() => readFocusedRow(page)).toBe(pageSize)
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog')
    const sentence = await drawer.getByRole('paragraph').first().innerText()
    await drawer.getByRole('button', { name: 'Older event' }).click()
    await expect.poll(() => drawer.getByRole('paragraph').first().innerText()).not.toBe(sentence)
    await closeByEscape(drawer)
    await expect.poll(() => readFocusedRow(page)).toBe(pageSize + 1)
    expect(await rows(page).count()).toBe(2 * pageSize)
  })

  test('are requested again after a failed request', async () => {
    await using visit = await tutti.visit({ path: '/events' })
    const { page } = visit
    await waitForPage(page, 'Events')
    await page.route('**/api/v1/events?*before=*', (route) => route.abort('connectionrefused'))
    await showOlder(page).click()
    const notice = page.getByRole('alert')
    await notice.waitFor()
    expect(await notice.innerText()).toContain('The older events could not be loaded.')
    expect(await rows(page).count()).toBe(pageSize)
    await page.unroute('**/api/v1/events?*before=*')
    await notice.getByRole('button', { name: 'Retry' }).click()
    await waitForRows(page, 2 * pageSize)
    await notice.waitFor({ state: 'detached' })
  })
})
