import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'
import { merge, openRuns, type RunsUnderTest, stateOf, timeline } from './runs-under-test.ts'

let runs: RunsUnderTest
beforeAll(async () => {
  runs = await openRuns()
})
afterAll(() => runs?.[Symbol.asyncDispose]())

describe('the details of a step', () => {
  test('stand beside the timeline, follow the arrow keys, are resized and closed by keyboard', async () => {
    const { id } = await runs.start([merge('one'), merge('two', { dependencies: ['one'] })])
    await using visit = await runs.tutti.visit({ path: `/executions/${id}?tab=timeline` })
    const { page } = visit
    await stateOf(page).getByText('Completed').waitFor()
    await timeline(page).getByRole('button', { name: /^two/ }).focus()
    await page.keyboard.press('ArrowUp')
    await page.waitForURL(/step=one/)
    const panel = page.getByRole('complementary', { name: 'one' })
    await panel.getByRole('region', { name: 'Output' }).waitFor()
    await page.keyboard.press('Enter')
    await panel.and(page.locator(':focus')).waitFor()
    const edge = panel.getByRole('separator', { name: 'Width of the panel' })
    const before = Number(await edge.getAttribute('aria-valuenow'))
    await edge.press('ArrowLeft')
    await expect.poll(async () => Number(await edge.getAttribute('aria-valuenow'))).toBe(before + 24)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await timeline(page).getByRole('button', { name: /^one/ }).and(page.locator(':focus')).waitFor()
  })

  test('open as a drawer in a narrow window, and fold long values', async () => {
    const content = Array.from({ length: 400 }, (_, index) => `Line ${index + 1}.`).join('\n')
    const { id } = await runs.start([merge('one')], { context: { content } })
    await using visit = await runs.tutti.visit({
      path: `/executions/${id}?tab=timeline`,
      viewport: { width: 390, height: 844 },
    })
    const { page } = visit
    await stateOf(page).getByText('Completed').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    await timeline(page).getByRole('button', { name: /^one/ }).click()
    const drawer = page.getByRole('dialog', { name: 'one' })
    const output = drawer.getByRole('region', { name: 'Output' }).first()
    await output.getByText('JSON', { exact: true }).click()
    await output.getByText('Line 1.').first().waitFor()
    expect(await output.getByText('Line 400.').count()).toBe(0)
    await output.getByRole('button', { name: /^Show all/ }).click()
    await output.getByText('Line 400.').waitFor()
    expect(await readSidewaysScroll(page)).toBe(0)
    expect(await findViolations(page)).toEqual([])
  })
})

describe('a run that waits', () => {
  test('for approval shows its input, and is approved on its own page', async () => {
    const { id, label } = await runs.start([merge('one')], {
      context: { content: 'Please publish this.' },
      approval_required: true,
    })
    await using visit = await runs.tutti.visit({ path: `/executions/${id}` })
    const { page, complaints } = visit
    const box = page.getByRole('region', { name: 'Approval' })
    await box.getByText('Please publish this.').waitFor()
    await box.getByText('Requested by admin').waitFor()
    expect(await findViolations(page)).toEqual([])
    await box.getByRole('textbox', { name: `Note about ${label}` }).fill('Fine.')
    await box.getByRole('button', { name: `Approve ${label}` }).press('Enter')
    await stateOf(page).getByText('Completed').waitFor()
    await box.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('for an answer shows the form, light or dark', async () => {
    const { id } = await runs.start([
      {
        id: 'ask',
        label: 'Ask the editor',
        type: 'human',
        message: 'Shall **{{content}}** be published?',
        form: {
          type: 'object',
          required: ['approved', 'price'],
          properties: {
            approved: { type: 'boolean', title: 'Publish it' },
            price: { type: 'number', title: 'Price' },
            channel: { type: 'string', title: 'Channel', enum: ['web', 'print'] },
          },
        },
        require_comment: true,
      },
    ])
    await using visit = await runs.tutti.visit({ path: `/executions/${id}` })
    const { page, complaints } = visit
    const box = page.getByRole('region', { name: 'Waiting' })
    await box.getByText('Waiting for an answer').first().waitFor()
    await box.getByText('A text.').waitFor()
    await stateOf(page).getByText('Needs answer').waitFor()
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'light')
    expect(complaints).toEqual([])
  })

  test('for an event names it and its key, and for a time its end', async () => {
    const event = await runs.start([
      { id: 'order', type: 'wait_for_event', event: 'order.paid', correlation_key: '{{content}}' },
    ])
    await using visit = await runs.tutti.visit({ path: `/executions/${event.id}` })
    const { page } = visit
    const box = page.getByRole('region', { name: 'Waiting' })
    await box.getByText('Waiting for the event “order.paid”').waitFor()
    await box.getByText('A text.').waitFor()
    const timer = await runs.start([{ id: 'rest', type: 'wait', duration: '3d' }])
    await page.goto(`/executions/${timer.id}`)
    await box.getByText(/^Waiting until \d+ \w+ \d{4}, \d{2}:\d{2}$/).waitFor()
  })
})
