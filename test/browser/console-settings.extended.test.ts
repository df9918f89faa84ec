import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../database/notifications-mail-server.ts'
import { addPerson, addRole } from './administer.ts'
import { type ConsoleUnderTest, openConsole, signInByRequest, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'

let tutti: ConsoleUnderTest
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  tutti = await openConsole({
    TUTTI_SECRET: 'a secret of this test that is long enough',
    TUTTI_EXECUTION_RETENTION: '90d',
  })
})
afterAll(async () => {
  await tutti[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const fieldOf = (page: Page, variable: string) => page.locator(`[data-setting="${variable}"]`)

describe('the platform settings', () => {
  test('turn the status page on and off without a restart', async () => {
    await using visit = await tutti.visit({ path: '/api-keys' })
    const { page, complaints } = visit
    await waitForPage(page, 'API keys')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Platform' }).click()
    await waitForPage(page, 'Platform settings')
    const status = section(page, 'Status page')
    await status.getByText('The status page is off').waitFor()
    await using visitor = await tutti.visit({ path: '/status', signedIn: false })
    await visitor.page.getByRole('heading', { name: 'The status page is off' }).waitFor()

    await status.getByRole('checkbox', { name: 'Public status page' }).check()
    await status.getByText('Not saved yet.').waitFor()
    await status.getByRole('button', { name: 'Save' }).click()
    await status.getByRole('link', { name: 'the status page' }).waitFor()
    await fieldOf(page, 'TUTTI_STATUS_PAGE').getByText('Set here').waitFor()
    await visitor.page.reload()
    await visitor.page.getByRole('heading', { name: 'Services' }).waitFor()

    await status.getByRole('button', { name: 'Use default for Public status page' }).press('Enter')
    await status.getByText('The status page is off').waitFor()
    expect((await fetch(`${tutti.platform.url}/status`)).status).toBe(404)
    expect(complaints).toEqual([])
  })

  test('send a test mail with a mail server that was set here, and never show its password', async () => {
    await using visit = await tutti.visit({ path: '/settings' })
    const { page } = visit
    await waitForPage(page, 'Platform settings')
    const notifications = section(page, 'Notifications')
    await notifications.getByLabel('Mail server', { exact: true }).fill(`smtp://127.0.0.1:${mail.port}`)
    await notifications.getByRole('button', { name: 'Save' }).click()
    // The sender is missing: the problem is shown beside its field, and the input stays.
    await expect
      .poll(() => notifications.getByLabel('Sender', { exact: true }).getAttribute('aria-invalid'))
      .toBe('true')
    await notifications.getByLabel('Sender', { exact: true }).fill('Tutti <tutti@example.com>')
    await notifications.getByRole('button', { name: 'Save' }).click()
    await notifications.getByText(`Set here (127.0.0.1:${mail.port})`).waitFor()
    await expect.poll(() => notifications.getByLabel('Mail server', { exact: true }).inputValue()).toBe('')
    expect(await page.content()).not.toContain('smtp://127.0.0.1')

    await notifications.getByRole('button', { name: 'Send test…' }).click()
    await notifications.getByLabel('Recipient', { exact: true }).fill('ops@example.com')
    await notifications.getByRole('button', { name: 'Send test', exact: true }).click()
    await notifications.getByText('The server accepted it').waitFor()
    expect(mail.mails.map(({ to, headers }) => [to, headers.get('subject')])).toEqual([
      [['ops@example.com'], 'Test notification'],
    ])
    mail.reactToRecipient(() => ({ code: 550, text: 'no such user here' }))
    await notifications.getByRole('button', { name: 'Send test', exact: true }).click()
    await notifications.getByText('no such user here').waitFor()
    mail.reactToRecipient(() => undefined)
    await notifications.getByRole('button', { name: 'Remove Mail server' }).click()
    await fieldOf(page, 'TUTTI_SMTP_URL').getByText('Not set').waitFor()
  })

  test('show values of the environment read-only with the reason, and refuse invalid ones beside their field', async () => {
    await using visit = await tutti.visit({ path: '/settings' })
    const { page } = visit
    await waitForPage(page, 'Platform settings')
    const retention = section(page, 'Retention')
    const executions = retention.getByRole('textbox', { name: 'Executions' })
    expect(await executions.inputValue()).toBe('90d')
    expect(await executions.getAttribute('readonly')).not.toBeNull()
    await fieldOf(page, 'TUTTI_EXECUTION_RETENTION').getByText('Set by TUTTI_EXECUTION_RETENTION').waitFor()
    await retention.getByText('The environment of the server sets it.').waitFor()

    const calls = retention.getByRole('textbox', { name: 'Webhook deliveries' })
    await calls.fill('a while')
    await calls.press('Enter')
    await retention.getByText('Must be a duration such as 500ms, 30s, 5m or 2h').waitFor()
    await calls.fill('60d')
    await calls.press('Enter')
    await fieldOf(page, 'TUTTI_WEBHOOK_RETENTION').getByText('Set here').waitFor()

    const tiers = section(page, 'Budgets and tiers')
    await tiers.getByRole('textbox', { name: 'Dollars per day' }).fill('7')
    await tiers.getByRole('button', { name: 'Save' }).click()
    await tiers
      .getByRole('table', { name: 'Tiers' })
      .getByRole('row', { name: /^custom 1,000 20 7$/ })
      .waitFor()
  })

  test('show only the sections that the account may change', async () => {
    await addRole(tutti.platform, {
      name: 'tour_admin',
      label: 'Tour admin',
      permissions: ['administer recipe tours'],
    })
    const person = await addPerson(tutti.platform, 'tess', ['tour_admin'])
    await using visit = await tutti.visit({ signedIn: false })
    const { page, context } = visit
    await signInByRequest(context, person)
    await page.goto('/settings')
    await waitForPage(page, 'Platform settings')
    await section(page, 'Tours').getByRole('textbox', { name: 'Visitor requests per minute' }).waitFor()
    expect(await page.getByRole('main').getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      'Tours',
    ])
  })

  test('axe and the browser report no problem: light, dark, and 390 pixels wide', async () => {
    await using visit = await tutti.visit({ path: '/settings' })
    const { page, complaints } = visit
    await waitForPage(page, 'Platform settings')
    await section(page, 'Notifications').getByRole('button', { name: 'Send test…' }).click()
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    await waitForStillness(page)
    expect(await readSidewaysScroll(page)).toBe(0)
    expect(complaints).toEqual([])

    await using visitor = await tutti.visit({ path: '/status', signedIn: false })
    expect(await findViolations(visitor.page)).toEqual([])
    await switchColours(visitor.page, 'dark')
    expect(await findColourViolations(visitor.page)).toEqual([])
  })
})
