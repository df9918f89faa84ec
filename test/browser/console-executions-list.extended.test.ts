import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureConsoleBuilt } from '../../scripts/build-console.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { type StoredRun, storeRuns } from '../support/stored-executions.ts'
import { addPerson, administer } from './administer.ts'
import { type ConsoleUnderTest, openConsoleOf, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { pressAt, readSidewaysScroll, switchColours, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest & { readonly platform: PlatformInProcess }
let accountId: string
beforeAll(async () => {
  await ensureConsoleBuilt({ log: () => undefined })
  // Nothing may run the stored executions, or delete them.
  tutti = await openConsoleOf(await openPlatform({}, { maintenance: false }))
  const [account] = await tutti.platform.database.query<{ id: string }>(
    'select id from identity_users where username = $1',
    [tutti.platform.admin.username],
  )
  accountId = account?.id ?? ''
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

async function saveFlow(id: string, label: string): Promise<string> {
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: {
      id,
      label,
      steps: [
        {
          id: 'only',
          type: 'data_transform',
          transformations: [{ operation: 'merge', sources: ['content'] }],
        },
      ],
    },
  })
  return id
}

const store = (flowId: string, runs: readonly Partial<StoredRun>[]) =>
  storeRuns(
    tutti.platform.database,
    runs.map((run, index) => ({
      flowId,
      accountId,
      createdAt: new Date(Date.now() - (index + 1) * 60_000),
      ...run,
    })),
  )

const rowsOf = (page: Page) => page.getByRole('table', { name: 'Executions' }).locator('tr[data-index]')
const chip = (page: Page, group: string, name: RegExp | string) =>
  page.getByRole('group', { name: group }).getByRole('button', { name })

/** Counts the clicks of a mouse on the page; a key that presses a button makes a click without one. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(
    `window.mouseClicks = 0; addEventListener('click', (event) => { if (event.detail > 0) window.mouseClicks += 1 }, true)`,
  )
  return () => page.evaluate<number>('window.mouseClicks')
}

describe('the list of executions', () => {
  test("finds yesterday's failed runs of one workflow in three clicks, and by keyboard without any", async () => {
    const noon = new Date(new Date().setUTCHours(0, 0, 0, 0) - 12 * 3_600_000)
    const wanted = await saveFlow('nightly_report', 'Nightly report')
    const other = await saveFlow('weekly_digest', 'Weekly digest')
    const [found = ''] = await store(wanted, [
      { status: 'failed', errorCode: 'EXTERNAL_API_FAILED', createdAt: noon },
      { status: 'completed', createdAt: noon },
      { status: 'failed', errorCode: 'INVALID_STEP', createdAt: new Date() },
    ])
    await store(other, [{ status: 'failed', errorCode: 'INVALID_STEP', createdAt: noon }])

    await using visit = await tutti.visit({ path: '/executions' })
    const { page, complaints } = visit
    await waitForPage(page, 'Executions')
    const clicks = await countClicks(page)
    await chip(page, 'State', /^Failed/).click()
    await chip(page, 'Time range', 'Yesterday').click()
    await chip(page, 'Workflow', /^Nightly report/).click()
    await expect.poll(() => rowsOf(page).count()).toBe(1)
    const row = rowsOf(page).first()
    await row.getByText(found.slice(-12)).waitFor()
    await row.getByText('It failed with EXTERNAL_API_FAILED.').waitFor()
    expect(await clicks()).toBe(3)
    // A filter applies before the address has changed.
    await expect
      .poll(() => Object.fromEntries(new URL(page.url()).searchParams))
      .toEqual({ status: 'failed', range: 'yesterday', flow: 'nightly_report' })
    await page.reload()
    await expect.poll(() => rowsOf(page).count()).toBe(1)

    await page.goto('/executions')
    await waitForPage(page, 'Executions')
    const clicksOfKeys = await countClicks(page)
    await pressChip(page, 'State', /^Failed/)
    await pressChip(page, 'Time range', 'Yesterday')
    await pressChip(page, 'Workflow', /^Nightly report/)
    await expect.poll(() => rowsOf(page).count()).toBe(1)
    await tabTo(page, rowsOf(page).getByRole('link'))
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(found))
    expect(await clicksOfKeys()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('counts by state, sorts by its headers, hides columns, and keeps a view', async () => {
    const flow = await saveFlow('sorted', 'Sorted')
    await store(flow, [
      { durationMs: 2000, spent: 3000 },
      { durationMs: 9000, spent: 1000 },
      { durationMs: 5000, spent: 2000 },
      { status: 'failed', errorCode: 'INVALID_STEP', durationMs: 1000 },
      { status: 'running', workState: 'suspended' },
    ])
    await using visit = await tutti.visit({ path: `/executions?flow=${flow}` })
    const { page, complaints } = visit
    await chip(page, 'State', 'Completed 3').waitFor()
    await chip(page, 'State', 'Failed 1').waitFor()
    await chip(page, 'State', 'Waiting 1').waitFor()
    await rowsOf(page).getByText('Waiting', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Duration' }).click()
    await page.waitForURL(/sort=-duration/)
    await expect.poll(() => durations(page)).toEqual(['9 s', '5 s', '2 s', '1 s', '–'])
    await page.getByRole('button', { name: 'Duration' }).press('Enter')
    await page.waitForURL(/sort=duration/)
    await expect.poll(() => durations(page)).toEqual(['1 s', '2 s', '5 s', '9 s', '–'])
    expect(await page.getByRole('columnheader', { name: 'Duration' }).getAttribute('aria-sort')).toBe(
      'ascending',
    )

    await page.getByRole('button', { name: 'More filters' }).click()
    // Two clicks in the same moment, before the address changes.
    const columns = page
      .getByRole('group', { name: 'Columns' })
      .getByRole('checkbox', { name: /Tokens|Cost/ })
    const checked = await columns.evaluateAll((boxes) =>
      (boxes as unknown as { checked: boolean; click: () => void }[]).map((box) => {
        box.click()
        return box.checked
      }),
    )
    expect(checked).toEqual([false, false])
    await page.getByRole('columnheader', { name: 'Tokens' }).waitFor({ state: 'detached' })
    await page.getByRole('columnheader', { name: 'Cost' }).waitFor({ state: 'detached' })
    await page.getByLabel('Duration from (s)').fill('4')
    await page.waitForURL(/[?&]min=4/)
    await expect.poll(() => rowsOf(page).count()).toBe(2)

    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save this view…' }).click()
    const name = page.getByRole('dialog').getByLabel('Name')
    await name.fill('Long ones')
    await untilShown(page, '“Long ones” is saved', () => pressAt(name))
    const saved = new URL(page.url()).search
    await page.goto('/executions')
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Long ones' }).click()
    await page.waitForURL((url) => url.search === saved)
    await expect.poll(() => rowsOf(page).count()).toBe(2)
    expect(complaints).toEqual([])
  })

  test('finds the runs of an account that no loaded row has', async () => {
    const { id } = await addPerson(tutti.platform, 'wolfgang')
    const flow = await saveFlow('serenade', 'Serenade')
    await store(flow, [{ accountId: id, createdAt: new Date(Date.now() - 40 * 86_400_000) }])
    await using visit = await tutti.visit({ path: '/executions?range=24h' })
    const { page, complaints } = visit
    await waitForPage(page, 'Executions')
    await page.getByRole('button', { name: 'More filters' }).press('Enter')
    const field = page.getByRole('combobox', { name: 'Account' })
    await field.fill('olfga')
    await page.getByRole('option', { name: 'wolfgang' }).waitFor()
    expect(await findViolations(page)).toEqual([])
    await field.press('ArrowDown')
    await field.press('Enter')
    await page.waitForURL(`**/executions?range=24h&account=${id}`)
    await page.getByText('No executions match.').waitFor()
    await chip(page, 'Time range', '24 h').click()
    await page.waitForURL(`**/executions?account=${id}`)
    await rowsOf(page).getByText('Serenade').waitFor()
    expect(await rowsOf(page).count()).toBe(1)
    await page.getByRole('button', { name: 'All accounts' }).press('Enter')
    await page.waitForURL('**/executions')
    expect(complaints).toEqual([])
  })

  test('cancels more executions than one request takes, and exports', async () => {
    const flow = await saveFlow('cancelled_together', 'Cancelled together')
    await store(
      flow,
      Array.from({ length: 120 }, () => ({ status: 'queued' as const, approval: 'pending' as const })),
    )
    await using visit = await tutti.visit({ path: `/executions?flow=${flow}` })
    const { page, complaints } = visit
    await chip(page, 'State', 'Needs approval 120').waitFor()
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    const bar = page.getByRole('group', { name: 'Selected executions' })
    await bar.getByText('100 selected').waitFor()
    await bar.getByRole('button', { name: 'Select all matching' }).click()
    await bar.getByText('120 selected').waitFor()
    const [selection] = await Promise.all([
      page.waitForEvent('download'),
      bar.getByRole('button', { name: 'Export 120' }).click(),
    ])
    expect((await readFile(await selection.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(121)
    await bar.getByRole('button', { name: 'Cancel 120' }).click()
    const cancel = page.getByRole('button', { name: 'Cancel them' })
    await untilShown(page, '120 executions are cancelled', () => cancel.click())
    await chip(page, 'State', 'Cancelled 120').waitFor()

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('executions.csv')
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
    expect(lines).toHaveLength(121)
    expect(lines[1]).toContain(',cancelled,')
    expect(complaints).toEqual([])
  })

  test('renders few rows of thousands, and its keys reach all of them', async () => {
    const flow = await saveFlow('long_list', 'Long list')
    const ids = await store(
      flow,
      Array.from({ length: 1500 }, () => ({})),
    )
    await using visit = await tutti.visit({ path: `/executions?flow=${flow}` })
    const { page, complaints } = visit
    await expect.poll(() => loadedRows(page)).toBeGreaterThanOrEqual(100)
    const links = page.getByRole('table', { name: 'Executions' }).locator('[data-row-link]')
    for (const loaded of [200, 300, 400]) {
      await page.evaluate('window.scrollTo(0, document.body.scrollHeight)')
      await expect.poll(() => loadedRows(page)).toBeGreaterThanOrEqual(loaded)
    }
    expect(await links.count()).toBeLessThan(100)
    await page.evaluate('window.scrollTo(0, 0)')
    await page.getByText(ids[0]?.slice(-12) ?? '').waitFor()
    await links.first().focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focusedRow(page)).toBe(ids[1])
    await page.keyboard.press('PageDown')
    await expect.poll(() => focusedRow(page)).toBe(ids[11])
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('End')
    await expect.poll(async () => ids.indexOf((await focusedRow(page)) ?? '')).toBeGreaterThan(300)
    // The row with the focus stays when the window is scrolled away from it.
    const end = await focusedRow(page)
    await page.evaluate('window.scrollTo(0, 0)')
    await rowsOf(page).first().getByRole('link').waitFor()
    expect(await focusedRow(page)).toBe(end)
    expect(complaints).toEqual([])
  })

  test('is a list on a phone, with sorting, and accessible in both colour schemes', async () => {
    const flow = await saveFlow('on_a_phone', 'On a phone')
    await store(flow, [
      { status: 'failed', errorCode: 'INVALID_STEP' },
      { status: 'running', workState: 'suspended' },
      { status: 'queued', approval: 'pending' },
      {},
    ])
    await using visit = await tutti.visit({
      path: `/executions?flow=${flow}&range=24h`,
      viewport: { width: 390, height: 844 },
    })
    const { page, complaints } = visit
    await waitForPage(page, 'Executions')
    await page.getByRole('button', { name: 'More filters' }).click()
    await rowsOf(page).first().getByRole('checkbox').check()
    await page.getByText('1 selected').waitFor()
    await page.getByLabel('Sort by').selectOption('-duration')
    await page.waitForURL(/sort=-duration/)
    await expect.poll(() => rowsOf(page).count()).toBe(4)
    expect(await readSidewaysScroll(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 900 })
    expect(await findViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('opens the newest own execution at /executions/latest', async () => {
    const flow = await saveFlow('latest_one', 'Latest one')
    const [newest = ''] = await store(flow, [{ createdAt: new Date(Date.now() + 60_000) }])
    await using visit = await tutti.visit({ path: '/executions/latest' })
    await visit.page.waitForURL(new RegExp(newest))
    await visit.page.getByRole('heading', { level: 1, name: /Latest one/ }).waitFor()
    await tutti.platform.database.query('delete from engine_executions where id = $1', [newest])
  })
})

const durations = (page: Page) => rowsOf(page).locator('[data-label=Duration]').allInnerTexts()

/** The number of loaded executions, which the page says below the table. */
async function loadedRows(page: Page): Promise<number> {
  const text = await page.getByText(/executions loaded$/).innerText()
  return Number(text.replace(/\D/g, ''))
}

const focusedRow = (page: Page) =>
  page.evaluate<string | undefined>('document.activeElement?.dataset?.rowLink')

/** Presses a chip by keyboard alone: Tab to its group, then arrow keys to the chip. */
async function pressChip(page: Page, group: string, name: RegExp | string): Promise<void> {
  const wanted = chip(page, group, name)
  await wanted.waitFor()
  await tabTo(page, page.getByRole('group', { name: group }).getByRole('button'))
  await page.keyboard.press('Home')
  while (!(await isFocused(wanted))) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect.poll(() => wanted.getAttribute('aria-pressed')).toBe('true')
}

/** Presses Tab until one of the elements has the focus. */
async function tabTo(page: Page, elements: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isFocused(elements)) return
    await page.keyboard.press('Tab')
  }
  throw new Error('Tab does not reach the element')
}

async function isFocused(elements: Locator): Promise<boolean> {
  return (await elements.and(elements.page().locator(':focus')).count()) > 0
}
