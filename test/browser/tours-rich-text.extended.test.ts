import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { closeByEscape, readSidewaysScroll } from './in-page.ts'
import { makeTour, openBuilder, pasteHtml, readTour, toursPath } from './tours-builder-page.ts'
import { patiently } from './tours-under-test.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())

const bodyOf = async (id: string) => (await readTour(tutti, id)).tips[0]?.body

describe('the text of a step', () => {
  test('is edited as visitors see it, by keyboard alone, under enforced trusted types', async () => {
    await makeTour(tutti, 'typed', [{ label: 'One', location: 'center' }])
    await using visit = await tutti.visit()
    const { page, complaints } = visit
    const builder = await openBuilder(page, 'typed')
    await builder.step('One').locator('[data-part=open]').click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.focus()
    await page.keyboard.type('Plain ')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('bold')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.press('Enter')
    await page.keyboard.type('item')
    // The toolbar is one stop before the text; arrow keys move in it.
    await page.keyboard.press('Shift+Tab')
    expect(await page.getByRole('button', { name: 'Bold' }).and(page.locator(':focus')).count()).toBe(1)
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    expect(
      await page.getByRole('button', { name: 'Bulleted list' }).and(page.locator(':focus')).count(),
    ).toBe(1)
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.getByRole('button', { name: 'Bulleted list' }).getAttribute('aria-pressed'))
      .toBe('true')
    await expect
      .poll(() => bodyOf('typed'), patiently)
      .toBe('<p>Plain <strong>bold</strong></p><ul><li>item</li></ul>')

    await text.press('ControlOrMeta+a')
    await page.keyboard.type('terms')
    await text.press('ControlOrMeta+a')
    await page.getByRole('button', { name: 'Link', exact: true }).click()
    const address = page.getByRole('textbox', { name: 'Link address' })
    await address.fill('javascript:alert(1)')
    await address.press('Enter')
    await page.getByText('Must begin with https://').waitFor()
    await address.fill('/terms?a=1&b=2')
    await address.press('Enter')
    await expect.poll(() => text.getByRole('link', { name: 'terms' }).count()).toBe(1)
    await expect.poll(() => bodyOf('typed'), patiently).toContain('<a href="/terms?a=1&amp;b=2">terms</a>')
    await pasteHtml(text, '<p>pasted <b>text</b></p>')
    await expect.poll(() => bodyOf('typed'), patiently).toContain('<strong>text</strong>')
    expect(complaints).toEqual([])
  })

  test('takes pasted text with its formats, and right-to-left text, on a phone', async () => {
    await makeTour(tutti, 'pasted', [{ label: 'One', location: 'center', body: '<p>Before</p>' }])
    await using visit = await tutti.visit({ viewport: { width: 360, height: 740 } })
    const { page } = visit
    const builder = await openBuilder(page, 'pasted')
    await builder.step('One').locator('[data-part=open]').click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.getByText('Before').waitFor()
    await text.press('ControlOrMeta+a')
    await pasteHtml(
      text,
      '<meta charset="utf-8"><div style="x"><p dir="rtl">سلام <i>دنیا</i></p><ol><li>یک<li>دو</ol></div>',
    )
    await expect
      .poll(() => bodyOf('pasted'), patiently)
      .toBe('<p>سلام <em>دنیا</em></p><ol><li>یک</li><li>دو</li></ol>')
    expect(await page.evaluate('getComputedStyle(document.activeElement).direction')).toBe('rtl')
    expect(await readSidewaysScroll(page)).toBe(0)
  })
})

describe('the page of a tour', () => {
  test('changes the targeting', async () => {
    await makeTour(tutti, 'aimed', [{ label: 'One', location: 'center' }])
    await using visit = await tutti.visit({ path: `${toursPath}/aimed` })
    const { page } = visit
    await page.getByText('Every visitor; once per visitor').waitFor()
    await page.getByRole('button', { name: 'Edit targeting' }).click()
    const form = page.getByRole('dialog', { name: 'Edit targeting' })
    await form.getByRole('textbox', { name: 'Conditions' }).fill('role = editor, admin\nplan')
    await form.getByRole('combobox', { name: 'Frequency' }).selectOption('days')
    await form.getByRole('textbox', { name: 'Days' }).fill('14')
    await form.getByLabel('Ends').fill('2031-05-20T09:30')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Line 2 must be an attribute').waitFor()
    await form.getByRole('textbox', { name: 'Conditions' }).fill('role = editor, admin\nplan != free')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('role is one of editor, admin; plan is not free').waitFor()
    const { tour } = await administer<{ tour: { targeting: object } }>(
      tutti.platform,
      'GET',
      `${toursPath}/aimed`,
    )
    expect(tour.targeting).toMatchObject({
      conditions: [
        { attribute: 'role', operator: 'is', values: ['editor', 'admin'] },
        { attribute: 'plan', operator: 'is_not', values: ['free'] },
      ],
      starts_at: null,
      ends_at: expect.stringMatching(/^2031-05-(?:19|20|21)T/),
      frequency: 'days',
      days: 14,
    })
  })

  test('shows its versions, what changed, and restores one', async () => {
    await makeTour(tutti, 'restored', [{ label: 'One', location: 'center', body: '<p>First</p>' }])
    await administer(tutti.platform, 'PUT', `${toursPath}/restored`, {
      label: 'Renamed',
      tips: [{ id: 'one', label: 'One', location: 'center', body: '<p>Second</p>' }],
    })
    await using visit = await tutti.visit({ path: `${toursPath}/restored` })
    const { page } = visit
    await page.getByRole('link', { name: 'Versions' }).click()
    await waitForPage(page, 'Versions')
    const rows = page.getByRole('table', { name: 'Versions' }).getByRole('row')
    await rows.getByText('3, current').waitFor()
    await rows.getByText('1 step', { exact: true }).first().waitFor()
    await rows.getByText('0 steps', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Changes in version 3' }).click()
    const changes = page.getByRole('dialog', { name: 'Changes in version 3' })
    await changes.getByText('The step “One” changed: text.').waitFor()
    await changes.getByText('Second').waitFor()
    await closeByEscape(changes)
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    const dialog = page.getByRole('dialog', { name: 'Restore version 2?' })
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await rows.getByText('4, current').waitFor()
    expect(await readTour(tutti, 'restored')).toMatchObject({
      label: 'restored',
      revision: 4,
      tips: [{ body: '<p>First</p>' }],
    })
  })
})
