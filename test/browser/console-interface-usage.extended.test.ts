import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readClipboard, readSidewaysScroll, switchColours, untilShown, waitForStillness } from './in-page.ts'

let database: TestDatabase
let tutti: ConsoleUnderTest
beforeAll(async () => {
  database = await createTestDatabase()
  tutti = await openConsole({}, { database })
})
afterAll(async () => {
  await tutti[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const chrome =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

const tell = (event: string, component: string, metadata: object = {}) =>
  administer(tutti.platform, 'POST', '/llm-ui/analytics', {
    event,
    component,
    user_agent: chrome,
    timestamp: new Date().toISOString(),
    metadata,
  })

const cell = (page: Page, name: string) =>
  page.locator('main dl > div').filter({ has: page.getByText(name, { exact: true }) })

const row = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: text })

describe('interface usage', () => {
  test('without any event it shows the command that sends the first one', async () => {
    await forget()
    await using visit = await tutti.visit({
      path: '/interface-usage',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page, complaints } = visit
    await waitForPage(page, 'Interface usage')
    await page.getByText('No events in this period.').waitFor()
    await untilShown(page, 'Copied', () => page.getByRole('button', { name: 'Copy the command' }).click())
    const command = await readClipboard(page)
    expect(command).toContain(`curl -X POST ${tutti.platform.url}/llm-ui/analytics`)
    expect(await findViolations(page)).toEqual([])

    // The command as a shell would run it.
    const { key } = await administer<{ key: string }>(tutti.platform, 'POST', '/api/v1/api-keys', {
      name: 'The shell',
    })
    const body = (/<<JSON\n([^]*)\nJSON$/.exec(command)?.[1] ?? '').replace(
      /\$\(.*\)/,
      new Date().toISOString(),
    )
    const answer = await fetch(`${tutti.platform.url}/llm-ui/analytics`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(200)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await cell(page, 'Events').getByText('1', { exact: true }).waitFor()
    await row(page, 'Recent events', 'opened').getByText('my-theme 1.0.0').waitFor()
    expect(complaints).toEqual([])
  })

  test('aggregates events by event, component, theme version, browser and day', async () => {
    await forget()
    await tell('opened', 'page')
    await tell('click', 'search-box', { theme: 'aurora', version: '2.1.0' })
    await tell('click', 'chat-panel', { theme: 'aurora', version: '2.1.0' })
    await tell('click', 'chat-panel', { theme: 'aurora', version: '2.0.0' })
    await remember(3, 'scroll', 6)
    await remember(60, 'scroll', 40)
    await using visit = await tutti.visit({ path: '/interface-usage' })
    const { page, complaints } = visit
    await waitForPage(page, 'Interface usage')
    await cell(page, 'Events').getByText('10', { exact: true }).waitFor()
    expect(await row(page, 'By event', 'click').innerText()).toMatch(/click\s+3\s+30 %/)
    expect(await row(page, 'By component', 'search-box').innerText()).toMatch(/1\s+10 %/)
    expect(await row(page, 'By theme version', 'aurora 2.1.0').innerText()).toMatch(/2\s+20 %/)
    await row(page, 'By browser', 'Chrome').waitFor()
    const chart = page.getByRole('slider', { name: 'Events, day by day' })
    await chart.press('End')
    await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/: 4, Events 4$/)

    await page.getByRole('radiogroup', { name: 'Time range' }).getByText('90 days').click()
    await page.waitForURL('**/interface-usage?days=90')
    await cell(page, 'Events').getByText('50', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('axe reports no problem, light or dark, and nothing scrolls sideways', async () => {
    await using visit = await tutti.visit({ path: '/interface-usage?days=90' })
    const { page } = visit
    await waitForPage(page, 'Interface usage')
    await page.getByRole('slider').locator('svg').waitFor()
    expect(await findViolations(page), 'light').toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page), 'dark').toEqual([])
    for (const width of [1280, 800, 560, 360]) {
      await page.setViewportSize({ width, height: 900 })
      await waitForStillness(page)
      expect(await readSidewaysScroll(page), `on ${width} pixels`).toBe(0)
    }
  })
})

/** Deletes all events. */
async function forget(): Promise<void> {
  await database.query('delete from status_usage_days')
  await database.query('delete from status_usage_recent')
}

/** Stores events of an earlier day. */
async function remember(daysAgo: number, event: string, count: number): Promise<void> {
  await database.query(
    `
      insert into status_usage_days (day, events, combinations)
      values ((now() at time zone 'utc')::date - $1::int, $2::int, 1)
    `,
    [daysAgo, count],
  )
  await database.query(
    `
      insert into status_usage (day, event, component, theme, version, browser, count)
      values ((now() at time zone 'utc')::date - $1::int, $2, 'page', 'unknown', 'unknown', 'firefox', $3::int)
    `,
    [daysAgo, event, count],
  )
}
