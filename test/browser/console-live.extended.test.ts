import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

const run = () =>
  administer(tutti.platform, 'POST', '/ai-workflows/api/execute-flow', {
    flow_id: 'content_quality_review',
    context: { content: 'The sea is calm tonight. The tide is full, the moon lies fair upon the straits.' },
  })

const rows = (page: Page, text: string | RegExp) =>
  page.getByRole('table', { name: 'Events' }).getByRole('row').filter({ hasText: text })

const isLive = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor()

async function openLive(path = '/executions?view=live') {
  const visit = await tutti.visit({ path })
  await waitForPage(visit.page, 'Executions')
  await isLive(visit.page)
  return visit
}

describe('live', () => {
  test('a running workflow appears with its start and its end, and links to its page', async () => {
    await using visit = await openLive()
    const { page, complaints } = visit
    await page.getByText('No events since you opened the page.').waitFor()
    await run()
    await rows(page, /^Started/).waitFor()
    const ended = rows(page, /^Completed/)
    await ended.waitFor()
    expect(await ended.innerText()).toContain('content_quality_review')

    await ended.getByRole('button').press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Completed: content_quality_review' })
    await drawer.getByRole('region', { name: 'event data' }).getByText('"execution_id"').waitFor()
    await closeByEscape(drawer)
    await ended.locator('button:focus').waitFor()
    expect(complaints).toEqual([])
  })

  test('one type is filtered, and the URL keeps it', async () => {
    await using visit = await openLive()
    const { page } = visit
    await run()
    await rows(page, /^Completed/).waitFor()
    await page.getByLabel('Event type').selectOption('Completed')
    await page.waitForURL('**/executions?view=live&kind=workflow_completed')
    await page.getByText('1 event', { exact: true }).waitFor()
    expect(await rows(page, /^Started/).count()).toBe(0)
    await page.getByLabel('Event type').selectOption('Failed')
    await page.getByText('No events of this type since you opened the page.').waitFor()
    await page.getByRole('button', { name: 'Show all events' }).click()
    await rows(page, /^Started/).waitFor()
  })

  test('an unknown type shows everything', async () => {
    await using visit = await openLive('/executions?view=live&kind=constructor')
    const { page } = visit
    expect(await page.getByLabel('Event type').inputValue()).toBe('')
    await run()
    await rows(page, /^Started/).waitFor()
  })

  test('when paused, it stands still and counts the held-back events', async () => {
    await using visit = await openLive()
    const { page } = visit
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('status').getByText('Paused', { exact: true }).waitFor()
    await run()
    const resume = page.getByRole('button', { name: /^Resume: [2-9] new$/ })
    await resume.waitFor()
    await page.getByText('No events since you opened the page.').waitFor()
    await resume.click()
    await rows(page, /^Completed/).waitFor()
    await isLive(page)
  })
})
