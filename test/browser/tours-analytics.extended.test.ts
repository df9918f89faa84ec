import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicAuth } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { addPerson, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findViolations } from './find-violations.ts'
import { readSidewaysScroll } from './in-page.ts'

const toursPath = '/admin/structure/recipe-onboarding/tours'

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

async function send(path: string, body: unknown, method: 'POST' | 'PUT' = 'POST'): Promise<void> {
  const { platform } = tutti
  const answer = await fetch(platform.url + path, {
    method,
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
}

async function createTour(tour: { readonly id: string; readonly [field: string]: string }): Promise<void> {
  await send(toursPath, tour).catch(async () => {
    // A retried test finds the data of its first attempt.
    await administer(tutti.platform, 'DELETE', `${toursPath}/${tour.id}`)
    await send(toursPath, tour)
  })
}

/** A published tour with a template's steps. */
async function makeTour(id: string, label: string): Promise<string> {
  await createTour({ id, label, creation_method: 'template', template: 'basic' })
  await send(`${toursPath}/${id}`, { status: true }, 'PUT')
  return `${toursPath}/${id}/analytics`
}

/** A visitor who sees some steps, and completes or leaves the tour. */
async function play(tour: string, steps: readonly string[], end: 'complete' | 'dismiss'): Promise<void> {
  const id = randomUUID()
  const seen = steps.flatMap((step_id, index) => [
    { event: 'step_view', play: id, step_id },
    ...(index < steps.length - 1 || end === 'complete'
      ? [{ event: 'step_complete', play: id, step_id, duration: 4 * (index + 1) }]
      : []),
  ])
  const started = steps.length > 1 ? [{ event: 'start', play: id }] : []
  const events = [{ event: 'view', play: id }, ...started, ...seen, { event: end, play: id, duration: 75 }]
  await send(`/api/recipe-tour-builder/tour/${tour}/event`, { events })
}

const all = ['welcome', 'find_your_way', 'what_is_new', 'get_help', 'all_set']

function cell(page: Page, name: string) {
  return page.locator('main dl > div').filter({ has: page.getByText(name, { exact: true }) })
}

const bars = (page: Page, label: string) => page.getByRole('list', { name: label }).getByRole('listitem')

test('visits are shown as numbers and charts, and update live', async () => {
  const path = await makeTour('watched', 'Watched tour')
  await play('watched', all, 'complete')
  await play('watched', all.slice(0, 2), 'dismiss')
  await play('watched', all.slice(0, 1), 'dismiss')
  await database.query(
    `insert into tour_days (tour_id, day, views, starts) values ('watched', (now() at time zone 'utc')::date - 20, 7, 3)`,
  )
  await using visit = await tutti.visit({ path })
  const { page, complaints } = visit
  await waitForPage(page, 'Analytics')
  await page.getByRole('link', { name: 'Watched tour' }).waitFor()
  expect(await cell(page, 'Views').innerText()).toContain('10')
  expect(await cell(page, 'Completed').innerText()).toContain('20 % of starts')
  expect(await cell(page, 'Time to complete').innerText()).toContain('1 min 15 s')
  expect(await bars(page, 'Funnel').allInnerTexts()).toHaveLength(7)
  expect(await bars(page, 'Drop-off').nth(1).innerText()).toContain('50 %')
  expect(await bars(page, 'Time per step').nth(4).innerText()).toContain('20 s')
  const steps = page.getByRole('table', { name: 'Step statistics' }).locator('tbody tr')
  expect(await steps.nth(0).innerText()).toMatch(/Welcome[\s\S]*3[\s\S]*2[\s\S]*1/)
  await page.getByRole('figure', { name: 'Visitors by day' }).waitFor()

  await page.getByText('7 days', { exact: true }).click()
  await cell(page, 'Views').getByText('3', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?timeframe=7d')

  await play('watched', all, 'complete')
  await page.getByRole('button', { name: 'Refresh' }).click()
  await cell(page, 'Views').getByText('4', { exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('a tour without visits explains why, and an invalid URL is reported', async () => {
  await createTour({ id: 'unseen', label: 'Unseen tour' })
  await using visit = await tutti.visit({ path: `${toursPath}/unseen/analytics` })
  const { page } = visit
  await page.getByText('This tour is a draft. Publish it to show it to visitors.').waitFor()
  await page.getByRole('link', { name: 'Open tour' }).click()
  await page.waitForURL(`**${toursPath}/unseen`)
  await page.goto(`${toursPath}/nowhere/analytics`)
  await page.getByText('There is no tour “nowhere”.').waitFor()
})

test('a user without the analytics permission sees the required permission', async () => {
  await makeTour('private', 'Private tour')
  const anonymousPrincipal = await addPerson(tutti.platform, 'nora')
  await using visit = await visitAs(tutti, anonymousPrincipal, `${toursPath}/private/analytics`)
  await visit.page.getByText('view recipe tour analytics').waitFor()
})

test.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
] as const)('axe reports no problem with the page: %s, %i pixels wide', async (colorScheme, width) => {
  const id = `looks_${colorScheme}_${width}`
  const path = await makeTour(id, 'A tour with a name that needs some space to be read')
  await play(id, all, 'complete')
  await play(id, all.slice(0, 3), 'dismiss')
  await using visit = await tutti.visit({ path, colorScheme, viewport: { width, height: 900 } })
  const { page, complaints } = visit
  await waitForPage(page, 'Analytics')
  await page.getByRole('figure', { name: 'Visitors by day' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await readSidewaysScroll(page)).toBe(0)
  expect(complaints).toEqual([])
})
