import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { pressAt, readSidewaysScroll, switchColours, untilShown, waitForIdle } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

/** Uses an id that no earlier attempt has used, and returns it. */
async function saveFlow(name: string, steps: readonly object[]): Promise<string> {
  const id = `${name}-${randomUUID().slice(0, 8)}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: { id, label: `Flow ${name}`, steps },
  })
  return id
}

const merge = (id: string, more: object = {}) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge' }],
  ...more,
})

/** The workflow that is open as a list. */
function listOn(page: Page) {
  const row = (id: string) => page.locator(`li[data-step="${id}"]`)
  return {
    row,
    part: (id: string, part: string) => row(id).locator(`[data-part="${part}"]`),
    palette: page.getByRole('region', { name: 'Step palette' }),
    isTold: (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor(),
    isListed: (ids: readonly string[]) =>
      expect.poll(() => page.evaluate<string>(listedSteps)).toBe(ids.join(' ')),
    hasFocus: (id: string, part = 'open') =>
      expect.poll(() => page.evaluate<string>(focusedPart)).toBe(`${id} ${part}`),
  }
}

const listedSteps =
  '[...document.querySelectorAll("li[data-step]")].map(({ dataset }) => dataset.step).join(" ")'
const focusedPart =
  '`${document.activeElement.closest("[data-step]")?.dataset.step} ${document.activeElement.dataset.part}`'

describe('the flow as a list', () => {
  test('is created by keyboard alone, and copied into another', async () => {
    const otherId = await saveFlow('other', [merge('ask')])
    await using visit = await tutti.visit({ path: '/workflows/new?view=list' })
    const { page, context, complaints } = visit
    const { row, part, palette, isTold, isListed, hasFocus } = listOn(page)
    await waitForPage(page, 'New workflow')
    await page.getByText('This workflow has no steps yet.').waitFor()

    // Each is added after the previous one, and its form is open for a name.
    const label = page.getByRole('textbox', { name: 'Label', exact: true })
    await palette.getByRole('button', { name: 'Prompt' }).press('Enter')
    await label.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('The question')
    await palette.getByRole('button', { name: 'Condition' }).press('Enter')
    await isTold('Condition: decide was added, after The question.')
    await palette.getByRole('button', { name: 'HTTP request' }).press('Enter')
    await palette.getByRole('searchbox', { name: 'Search agents' }).press('t')
    await page.keyboard.type('ransl')
    await palette.getByRole('button', { name: 'Translator' }).press('Enter')
    await isListed(['ask', 'decide', 'call', 'translator'])
    await part('decide', 'add').press('Enter')
    await pressAt(page.getByRole('dialog').getByRole('button', { name: 'Transform' }))
    await isListed(['ask', 'decide', 'transform', 'call', 'translator'])
    await row('transform').getByText('Runs after decide').waitFor()

    // Dependencies; one that would close a cycle is not offered.
    await part('translator', 'after').press('Enter')
    const choice = page.getByRole('dialog', { name: 'Dependencies of translator' })
    await pressAt(choice.getByRole('checkbox', { name: '3. transform' }), 'Space')
    await isTold('translator runs after transform.')
    await choice.getByRole('checkbox', { name: '4. call' }).press('Space')
    await page.keyboard.press('Escape')
    await hasFocus('translator', 'after')
    await row('translator').getByText('Runs after transform', { exact: true }).waitFor()
    await part('ask', 'after').press('Enter')
    expect(await page.getByRole('checkbox', { name: '2. decide' }).isDisabled()).toBe(true)
    await waitForIdle(page)
    await page.keyboard.press('Escape')
    await hasFocus('ask', 'after')

    // Arrows move through the list, and with Alt move the step.
    await part('translator', 'open').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await isTold('translator is step 4 of 5 now.')
    await hasFocus('translator')
    await page.keyboard.press('Home')
    await hasFocus('ask')
    await page.keyboard.press('ArrowDown')
    await hasFocus('decide')
    await part('decide', 'down').press('Enter')
    await hasFocus('decide', 'down')
    await isListed(['ask', 'transform', 'decide', 'translator', 'call'])

    // Duplicating, removing, and undoing both.
    await part('call', 'open').focus()
    await page.keyboard.press('Control+d')
    await isTold('call was duplicated: call_2.')
    await part('call_2', 'open').press('Delete')
    await isTold('call_2 was removed. Undo brings it back.')
    await hasFocus('call')
    await page.keyboard.press('Control+z')
    await isTold('Undone: removing call_2.')
    await page.keyboard.press('Control+Shift+z')
    await isListed(['ask', 'transform', 'decide', 'translator', 'call'])

    // Two steps are pasted into another flow, in another tab; its own steps keep their ids.
    await part('ask', 'open').press('Enter')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+c')
    await isTold('2 steps were copied.')
    const other = await context.newPage()
    await other.goto(`/workflows/${otherId}/edit?view=list`)
    await waitForPage(other, 'Flow other')
    const there = listOn(other)
    await there.part('ask', 'open').focus()
    await other.keyboard.press('Control+v')
    await there.isTold('2 steps were pasted: ask_2, transform.')
    await there.row('ask_2').getByText('The question').waitFor()
    await other.keyboard.press('Control+a')
    await there.isTold('3 steps are selected.')
    await other.keyboard.press('Control+x')
    await there.isListed([])
    await other.close()

    await page.getByRole('button', { name: 'Editor shortcuts' }).press('Enter')
    await page.getByRole('dialog').getByText('Paste steps, also from another workflow').waitFor()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await findViolations(page)).toEqual([])
    await switchColours(page, 'dark')
    expect(await findColourViolations(page)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('is reordered by mouse, takes steps from the palette, and rejects text that is no step', async () => {
    const id = await saveFlow(
      'dragged',
      ['one', 'two', 'three'].map((step) => merge(step)),
    )
    await using visit = await tutti.visit({ path: `/workflows/${id}/edit?view=list` })
    const { page, complaints } = visit
    const { row, part, palette, isListed, isTold } = listOn(page)
    await row('three')
      .getByTitle('Drag to move')
      .dragTo(row('one'), { targetPosition: { x: 100, y: 4 } })
    await isListed(['three', 'one', 'two'])
    await palette
      .getByRole('button', { name: 'Condition' })
      .dragTo(row('one'), { targetPosition: { x: 100, y: 4 } })
    await isListed(['three', 'decide', 'one', 'two'])

    await row('one').click({ position: { x: 200, y: 30 } })
    await row('two').click({ position: { x: 200, y: 30 }, modifiers: ['Control'] })
    await page.keyboard.press('Delete')
    await isTold('2 steps were removed. Undo brings them back.')
    // A copy from a field is text, not a step.
    await palette.getByRole('searchbox').fill('hello')
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Control+c')
    await part('three', 'open').focus()
    const told = 'The clipboard contains neither steps nor a workflow.'
    await untilShown(page, told, () => page.keyboard.press('Control+v'))

    // On a phone the palette is one button.
    await page.setViewportSize({ width: 360, height: 640 })
    await palette.getByRole('button', { name: 'Add step' }).click()
    await page.getByRole('dialog', { name: 'Add step' }).getByRole('button', { name: 'Prompt' }).click()
    await isListed(['three', 'decide', 'ask'])
    await expect.poll(() => readSidewaysScroll(page)).toBe(0)
    // The form of the new step covers the list, which is one tap away.
    await page.getByRole('radiogroup', { name: 'Pane' }).getByText('Workflow').click()
    await part('three', 'remove').waitFor()
    expect(complaints).toEqual([])
  })
})
