import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEvents } from '#kernel/events'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createTestDatabase } from '../support/test-database.ts'
import { addPerson, administer, visitAs } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape, readFocusedText } from './in-page.ts'

const pageSize = 50
const oldCount = 70

let tutti: ConsoleUnderTest
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  const database = opened.use(await createTestDatabase())
  const log = createLogger({ level: 'silent', format: 'json' })
  await using events = createEvents({ database, log, metrics: createMetrics() })
  await events.append(
    Array.from({ length: oldCount }, (_, index) => ({
      type: 'identity.sign_in_failed',
      subject: null,
      data: { reason: 'unknown_user', attempt: index + 1, ip: '192.0.2.7', user_agent: 'curl/8.5.0' },
    })),
  )
  tutti = opened.use(await openConsole({}, { database }))
})
afterAll(() => opened.disposeAsync())

const rows = (page: Page) => page.getByRole('table', { name: 'Audit log' }).locator('tbody tr')

describe('the audit log', () => {
  test('shows who changed which account, newest first', async () => {
    const person = await addPerson(tutti.platform, 'clara')
    await administer(tutti.platform, 'PATCH', `/api/v1/users/${person.id}`, { tier: 'basic' })
    await using visit = await tutti.visit({ path: `/audit?account=${person.id}` })
    const { page } = visit
    await waitForPage(page, 'Audit log')
    await page.getByRole('button', { name: 'Account: clara. Show all accounts' }).waitFor()
    await expect
      .poll(() => rows(page).allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Account changed\s+clara\s+admin\s+tier\s+127\.0\.0\.1/),
        expect.stringMatching(/^Account created\s+clara\s+admin/),
      ])
    await page.getByRole('button', { name: 'Account: clara. Show all accounts' }).click()
    await page.waitForURL('**/audit')
    await expect.poll(() => rows(page).count()).toBe(pageSize)
  })

  test('shows new entries on request', async () => {
    await using visit = await tutti.visit({ path: '/audit' })
    const { page } = visit
    await waitForPage(page, 'Audit log')
    await addPerson(tutti.platform, 'robert')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(() => rows(page).first().innerText()).toMatch(/^Account created\s+robert/)
  })

  test('filters by one type in the URL, and loads entries down to the first one by keyboard', async () => {
    await using visit = await tutti.visit({ path: '/audit' })
    const { page } = visit
    await waitForPage(page, 'Audit log')
    await page.getByLabel('Entry type').selectOption('Sign-in failed')
    await page.waitForURL('**/audit?type=identity.sign_in_failed')
    await page.getByText(`Newest ${pageSize} of ${oldCount}`).waitFor()
    await page.getByRole('button', { name: 'Show older entries' }).press('Enter')
    await page.getByText('There are no older entries.').waitFor()
    await expect.poll(() => rows(page).count()).toBe(oldCount)
    await expect.poll(() => readFocusedText(page)).toBe('Sign-in failed')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Sign-in failed' })
    expect(await drawer.getByRole('region', { name: 'entry data' }).innerText()).toContain('"attempt": 1')
    expect(await drawer.innerText()).toMatch(/192\.0\.2\.7[\s\S]*curl 8\.5\.0/)
    await closeByEscape(drawer)
    await page.waitForURL('**/audit?type=identity.sign_in_failed')
    await expect.poll(() => readFocusedText(page)).toBe('Sign-in failed')
  })

  test('opens an entry of any age from its URL, or reports that it does not exist', async () => {
    await using visit = await tutti.visit({ path: '/audit?type=identity.signed_in&entry=1' })
    const { page } = visit
    await page.getByRole('dialog', { name: 'Sign-in failed' }).waitFor()
    await page.goto('/audit?entry=999999')
    await page.getByText('The audit log has no entry with the ID 999999.').waitFor()
  })

  test('opens the history of an account from the account', async () => {
    const person = await addPerson(tutti.platform, 'johannes')
    await using visit = await tutti.visit({ path: `/users?user=${person.id}` })
    const { page } = visit
    await page.getByRole('dialog', { name: 'johannes' }).getByRole('link', { name: 'View audit log' }).click()
    await page.waitForURL(`**/audit?account=${person.id}`)
    await waitForPage(page, 'Audit log')
    await expect.poll(() => rows(page).count()).toBe(1)
  })

  test('names the required permission to a user who may not read it', async () => {
    const person = await addPerson(tutti.platform, 'felix', ['viewer'])
    await using visit = await visitAs(tutti, person, '/audit')
    await visit.page.getByText('requires the permission “administer users”').waitFor()
    await visit.page.getByRole('link', { name: 'View your permissions' }).click()
    await waitForPage(visit.page, 'Profile')
  })
})
