import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitForPage } from './console-under-test.ts'
import { approveRun, click, entry, mendFailedRun, press, readMouseEvents } from './run-jobs.ts'
import { openRuns, type RunsUnderTest } from './runs-under-test.ts'

/** The jobs of `jobs.test.ts` that are the same by mouse, and an upgrade meanwhile. */

let runs: RunsUnderTest
beforeAll(async () => {
  runs = await openRuns()
})
afterAll(() => runs?.[Symbol.asyncDispose]())

test('a run fails, its cause is found and edited, and it runs again with the new version, by mouse', async () => {
  await using visit = await runs.tutti.visit()
  const { page, complaints } = visit
  await mendFailedRun(runs, page, click)
  expect(await readMouseEvents(page)).toBeGreaterThan(0)
  expect(complaints).toEqual([])
})

test('a run that needs approval is approved on its own page, by mouse', async () => {
  await using visit = await runs.tutti.visit()
  const { page, complaints } = visit
  await approveRun(runs, page, click)
  expect(complaints).toEqual([])
})

describe.each([
  ['mouse', click],
  ['keyboard', press],
] as const)('by %s', (_way, act) => {
  test('an upgrade under an open tab offers a reload', async () => {
    await using visit = await runs.tutti.visit({ path: '/usage', own: true })
    const { page } = visit
    await waitForPage(page, 'Usage')
    // The files of the older build are gone, and the document has another entry script.
    await page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: 'not found' }))
    await page.route(
      ({ pathname }) => pathname === '/',
      (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" src="/assets/index-new.js">',
        }),
    )
    await act(entry(page, 'Schedules'))
    await waitForPage(page, 'This page needs a newer version of the console')
    await page.getByText('Tutti was upgraded. Reload to use the new version.').waitFor()
    expect(await page.getByText('This page stopped working').count()).toBe(0)
    await page.unrouteAll()
    await act(page.locator('main').getByRole('button', { name: 'Reload' }))
    await waitForPage(page, 'Schedules')
  })
})
