import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { accept, answer, startReceiver } from '../database/webhooks-receiver.ts'
import { administer, removeAll } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole({
    TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
    TUTTI_SECRET: 'a secret of this test that is long enough',
  })
})
afterAll(() => tutti[Symbol.asyncDispose]())
beforeEach(() => removeAll(tutti.platform, '/ai-workflows/api/webhooks', 'webhooks', 'webhook_id'))

const row = (page: Page, table: string, text: string) =>
  page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text })

async function runFlow(): Promise<void> {
  await administer(tutti.platform, 'POST', '/ai-workflows/api/execute-flow', {
    flow_id: 'content_quality_review',
    context: { content: 'The sea is calm tonight. The tide is full, the moon lies fair upon the straits.' },
  })
}

async function addWebhook(page: Page, url: string, name = ''): Promise<void> {
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const form = page.getByRole('dialog', { name: 'Add webhook' })
  await form.getByLabel('URL').fill(url)
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByLabel('flow.execution.completed').check()
  await form.getByLabel('Max attempts').fill('1')
  await form.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByRole('button', { name: 'I have saved the secret' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}

describe('webhooks', () => {
  test('are added, show their secret once, are verified, and redeliver their deliveries', async () => {
    await using receiver = await startReceiver()
    await using visit = await tutti.visit({ path: '/webhooks' })
    const { page, complaints } = visit
    await waitForPage(page, 'Webhooks')
    await page.getByText('No webhooks yet.').waitFor()

    await addWebhook(page, receiver.url)
    await row(page, 'Webhooks', receiver.url).getByText('Active').waitFor()
    expect(receiver.verifications).toHaveLength(1)

    receiver.react(answer(500))
    await runFlow()
    await receiver.untilEvents(1)
    await row(page, 'Webhooks', receiver.url).getByRole('button').first().click()
    await page.getByRole('link', { name: 'View deliveries' }).click()
    await waitForPage(page, 'Deliveries')
    const listed = row(page, 'Deliveries', 'flow.execution.completed')
    await listed.getByText('Failed').waitFor()
    expect(await listed.innerText()).toContain('HTTP 500')

    receiver.react(accept)
    await listed.getByRole('button').click()
    const drawer = page.getByRole('dialog', { name: 'flow.execution.completed' })
    await drawer.getByRole('region', { name: 'request body' }).getByText('"execution_id"').waitFor()
    await drawer.getByRole('button', { name: 'Redeliver' }).click()
    await receiver.untilEvents(2)
    await drawer.getByText('Delivered').waitFor()
    expect(receiver.events[1]?.headers['webhook-id']).toBe(receiver.events[0]?.headers['webhook-id'])
    await closeByEscape(drawer)
    await page.getByLabel('Delivery state').selectOption('Failed')
    await page.getByText('No deliveries match.').waitFor()
    expect(complaints).toEqual([])
  })

  test('have a page of deliveries that leads to a webhook, or to the first one', async () => {
    await using receiver = await startReceiver()
    await using visit = await tutti.visit({ path: '/webhooks/deliveries' })
    const { page, complaints } = visit
    await waitForPage(page, 'Deliveries')
    await page.getByRole('link', { name: 'Add webhook' }).click()
    const form = page.getByRole('dialog', { name: 'Add webhook' })
    await form.getByLabel('URL').waitFor()
    await closeByEscape(form)
    for (const name of ['Search index', 'Mail relay']) await addWebhook(page, receiver.url, name)

    await page
      .getByRole('navigation', { name: 'Integrations' })
      .getByRole('link', { name: 'Deliveries' })
      .click()
    await waitForPage(page, 'Deliveries')
    const choice = page.getByLabel('Webhook', { exact: true })
    await expect.poll(() => choice.locator('option:checked').innerText()).toBe('Search index')
    await choice.selectOption('Mail relay')
    await row(page, 'Deliveries', 'webhook.verification').waitFor()
    await expect.poll(() => choice.locator('option:checked').innerText()).toBe('Mail relay')
    expect(complaints).toEqual([])
  })

  test('are disabled and enabled, given a new secret and deleted', async () => {
    await using other = await startReceiver()
    await using visit = await tutti.visit({ path: '/webhooks' })
    const { page } = visit
    await waitForPage(page, 'Webhooks')
    await addWebhook(page, other.url)
    const listed = row(page, 'Webhooks', other.url)
    await listed.getByRole('button').first().click()
    const drawer = page.getByRole('dialog', { name: other.url })
    await drawer.getByRole('button', { name: 'Disable' }).click()
    await drawer.getByText('You disabled this webhook.').waitFor()
    await drawer.getByRole('button', { name: 'Enable' }).click()
    await drawer.getByRole('button', { name: 'Disable' }).waitFor()

    await drawer.getByRole('button', { name: 'Replace secret…' }).click()
    await page.getByRole('button', { name: 'Replace secret', exact: true }).click()
    expect(await page.locator('[data-secret="Secret"]').innerText()).toMatch(/^whsec_/)
    await page.getByRole('button', { name: 'I have saved the secret' }).click()

    await drawer.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete webhook' }).click()
    await listed.waitFor({ state: 'detached' })
  })

  test('have a name, send a test event and show its result', async () => {
    await using receiver = await startReceiver()
    await using visit = await tutti.visit({ path: '/webhooks' })
    const { page, complaints } = visit
    await waitForPage(page, 'Webhooks')
    await addWebhook(page, receiver.url, 'Billing')
    const listed = row(page, 'Webhooks', 'Billing')
    await listed.getByText('Active').waitFor()
    expect(await listed.innerText()).toContain(receiver.url)

    receiver.react((response) => response.writeHead(503, { 'content-type': 'text/plain' }).end('not now'))
    const start = listed.getByRole('button', { name: 'Send test event to Billing' })
    await start.focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Test Billing' })
    await closeByEscape(drawer)
    await start.click()
    await drawer.waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await drawer.getByRole('button', { name: 'Send test event' }).click()
    await drawer.getByText('HTTP 503').waitFor()
    await drawer.getByRole('region', { name: 'response of the receiver' }).getByText('"not now"').waitFor()
    expect(receiver.events[0]?.body).toMatchObject({ event: 'webhook.test', test: true })

    receiver.react(accept)
    await drawer.getByLabel('Event', { exact: true }).selectOption('flow.execution.completed')
    await drawer.getByRole('button', { name: 'Send test event' }).click()
    await drawer.getByText('Delivered').waitFor()
    expect(receiver.events[1]?.body.data).toMatchObject({ flow_id: 'sample_flow' })
    await page.keyboard.press('Escape')
    await listed.getByText('HTTP 204').waitFor()
    await listed.getByText('Active').waitFor()

    await listed.getByRole('button').first().click()
    const settings = page.getByRole('dialog', { name: 'Billing' })
    await settings.getByRole('textbox', { name: 'Name', exact: true }).fill('')
    await settings.getByRole('button', { name: 'Save' }).click()
    await listed.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('an invalid URL of the console shows the list', async () => {
    await using receiver = await startReceiver()
    const { webhook_id: id } = await administer<{ webhook_id: string }>(
      tutti.platform,
      'POST',
      '/ai-workflows/api/webhooks',
      { webhook_config: { url: receiver.url, events: ['flow.step.completed'] } },
    )
    await using visit = await tutti.visit({ path: '/webhooks?page=x&api=drama' })
    const { page } = visit
    await waitForPage(page, 'Webhooks')
    await row(page, 'Webhooks', receiver.url).waitFor()
    await page.goto(`/webhooks/deliveries?webhook=${id}&state=lost&page=none&as_of=never`)
    await waitForPage(page, 'Deliveries')
    await row(page, 'Deliveries', 'webhook.verification').waitFor()
    expect(await page.getByLabel('Delivery state').inputValue()).toBe('')
  })

  test('show an invalid URL beside its field, and keep the input', async () => {
    await using visit = await tutti.visit({ path: '/webhooks?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Add webhook' })
    await form.getByLabel('URL').fill('http://10.0.0.1/hook')
    await form.getByLabel('flow.execution.failed').check()
    await form.getByRole('button', { name: 'Add webhook' }).click()
    await expect.poll(() => form.getByLabel('URL').getAttribute('aria-invalid')).toBe('true')
    expect(await form.getByLabel('URL').inputValue()).toBe('http://10.0.0.1/hook')
  })
})
