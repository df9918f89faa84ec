import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Site } from '../support/site.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import {
  choosePlacement,
  listedSteps,
  makeTour,
  openBuilder,
  openShop,
  readTour,
} from './tours-builder-page.ts'

let tutti: ConsoleUnderTest
let shop: Site
beforeAll(async () => {
  tutti = await openConsole()
  shop = await openShop(tutti)
})
afterAll(async () => {
  await shop[Symbol.asyncDispose]()
  await tutti[Symbol.asyncDispose]()
})

const centred = (label: string) => ({ label, location: 'center' })

describe('building a tour', () => {
  test('by picking elements of a site that embeds the player, with automatic saving', async () => {
    await makeTour(tutti, 'pointed')
    await using visit = await tutti.visit()
    const { page, complaints } = visit
    const builder = await openBuilder(page, 'pointed', `${shop.url}/start`)
    await page.getByText('No steps yet.').waitFor()

    await builder.pick(builder.frame.locator('#search'))
    const title = page.getByRole('textbox', { name: 'Title', exact: true })
    expect(await title.inputValue()).toBe('Search')
    await title.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('Look for things')
    await builder.card('Look for things').waitFor()
    await page.getByRole('textbox', { name: 'Text', exact: true }).focus()
    await page.keyboard.type('Type ')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('here')
    await page.keyboard.press('ControlOrMeta+b')
    await page.keyboard.type('.')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Then wait.')
    await builder.card('Look for things').getByText('Then wait.').waitFor()

    const ways = page.getByRole('radiogroup', { name: 'Selectors' })
    const first = ways.getByRole('radio').first()
    expect(await first.getAttribute('value')).toBe('#search')
    expect(await first.isChecked()).toBe(true)
    await ways.getByText('1 match').first().waitFor()
    await ways.getByText('Stable').first().waitFor()
    const second = await ways.getByRole('radio').nth(1).getAttribute('value')
    await ways.getByRole('radio').nth(1).check()
    await choosePlacement(page, 'Right')
    await page.getByRole('combobox', { name: 'Continues with' }).selectOption('Click on the element')
    await builder.untilSaved()

    const tour = await readTour(tutti, 'pointed')
    expect(tour).toMatchObject({ status: false, routes: [{ route_name: '/start' }] })
    expect(tour.tips).toMatchObject([
      {
        label: 'Look for things',
        body: '<p>Type <strong>here</strong>.</p><p>Then wait.</p>',
        selector: second,
        location: 'right',
        route: null,
        target_text: 'Search',
        advance: 'click',
      },
    ])
    expect(tour.tips[0]?.candidates).toContain('#search')
    expect(complaints).toEqual([])
  })

  test('on several pages: a step picked on another page belongs to it', async () => {
    await makeTour(tutti, 'pages', [{ label: 'Here', selector: '#search' }], {
      routes: [{ route_name: '/start' }],
    })
    await using visit = await tutti.visit()
    const builder = await openBuilder(visit.page, 'pages', `${shop.url}/start`)
    await builder.frame.getByRole('link', { name: 'Terms' }).click()
    await expect.poll(() => visit.page.getByLabel('Page address').inputValue()).toBe(`${shop.url}/terms`)
    await builder.step('Here').getByText('Another page').waitFor()
    await builder.pick(builder.frame.getByTestId('basket'))
    await builder.untilSaved()
    expect(await visit.page.getByRole('combobox', { name: 'Page', exact: true }).inputValue()).toBe('/terms')
    const { routes, tips } = await readTour(tutti, 'pages')
    expect(routes.map(({ route_name }) => route_name)).toEqual(['/start', '/terms'])
    expect(tips[0]).toMatchObject({ route: '/start' })
    expect(tips[1]).toMatchObject({ selector: '[data-testid="basket"]', route: '/terms' })
  })

  test('by keyboard alone: Ctrl-E, arrows and Enter pick, Escape cancels', async () => {
    await makeTour(tutti, 'keys')
    await using visit = await tutti.visit()
    const { page } = visit
    const builder = await openBuilder(page, 'keys', `${shop.url}/keys`)
    await page.keyboard.press('Control+e')
    await page.getByText('Click the element for the step').waitFor()
    await builder.frame.getByRole('application').waitFor()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.getByText('Click the element for the step').count()).toBe(0)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title', exact: true }).waitFor()
    await builder.untilSaved()
    expect((await readTour(tutti, 'keys')).tips).toHaveLength(1)

    await page.keyboard.press('Control+e')
    await page.getByText('Click the element for the step').waitFor()
    await builder.frame.getByRole('application').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Click the element for the step').waitFor({ state: 'detached' })
    expect(await listedSteps(page)).toHaveLength(1)
  })

  test('from pages of the console', async () => {
    await makeTour(tutti, 'own')
    await using visit = await tutti.visit()
    const builder = await openBuilder(visit.page, 'own', '/profile')
    await builder.pick(builder.frame.getByRole('heading', { level: 1 }))
    await builder.untilSaved()
    expect((await readTour(tutti, 'own')).routes).toEqual([{ route_name: '/profile' }])
    await builder.card('Profile').waitFor()
  })
})

describe('reordering steps', () => {
  test('by keyboard: keys and buttons move a step with the focus, and announce it', async () => {
    await makeTour(tutti, 'order', ['One', 'Two', 'Three'].map(centred))
    await using visit = await tutti.visit()
    const { page } = visit
    const builder = await openBuilder(page, 'order')
    await builder.step('Three').getByRole('button', { name: 'Three', exact: false }).first().focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('status').getByText('“Three” is step 2 of 3 now.').waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await page.getByRole('status').getByText('“Three” is step 1 of 3 now.').waitFor()
    await expect.poll(() => listedSteps(page)).toEqual(['Three', 'One', 'Two'])
    await page.getByRole('button', { name: 'Move down: Three' }).press('Enter')
    await page.keyboard.press('Enter')
    await expect.poll(() => listedSteps(page)).toEqual(['One', 'Two', 'Three'])
    await page.getByRole('button', { name: 'Move up: Two' }).click()
    await builder.untilSaved()
    expect((await readTour(tutti, 'order')).tips.map(({ label, weight }) => [label, weight])).toEqual([
      ['Two', 1],
      ['One', 2],
      ['Three', 3],
    ])
  })

  test('by dragging', async () => {
    await makeTour(tutti, 'drag', ['One', 'Two', 'Three'].map(centred))
    await using visit = await tutti.visit()
    const builder = await openBuilder(visit.page, 'drag')
    await builder
      .step('Three')
      .getByTitle('Drag to move')
      .dragTo(builder.step('One'), { targetPosition: { x: 100, y: 4 } })
    await expect.poll(() => listedSteps(visit.page)).toEqual(['Three', 'One', 'Two'])
    await builder.untilSaved()
    expect((await readTour(tutti, 'drag')).tips.map(({ label }) => label)).toEqual(['Three', 'One', 'Two'])
  })
})

describe('every change', () => {
  test('is undone and redone, and the platform follows', async () => {
    await makeTour(tutti, 'undo', ['One', 'Two'].map(centred))
    await using visit = await tutti.visit()
    const { page } = visit
    const builder = await openBuilder(page, 'undo')
    const before = await readTour(tutti, 'undo')

    await builder.step('One').locator('[data-part=open]').click()
    await page.getByRole('textbox', { name: 'Title', exact: true }).fill('First')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('button', { name: 'Move down: First (copy)' }).click()
    await builder.step('Two').locator('[data-part=open]').click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Tour', { exact: true }).click()
    await page.getByLabel('Starts').selectOption('After the visitor agrees')
    await page.getByLabel('Pages').fill('/a\n/b')
    await page.getByRole('button', { name: 'Publish' }).click()
    await builder.untilSaved()
    const after = await readTour(tutti, 'undo')
    expect(after).toMatchObject({
      status: true,
      launch: 'invite',
      routes: [{ route_name: '/a' }, { route_name: '/b' }],
    })
    expect(after.tips.map(({ label }) => label)).toEqual(['First', 'First (copy)'])

    for (const what of [
      'publishing',
      'the pages of the tour',
      'how the tour starts',
      'deleting “Two”',
      'moving “First (copy)”',
      'copying “First”',
      'the title of “One”',
    ]) {
      await page.keyboard.press('Control+z')
      await page.getByRole('status').getByText(`Undone: ${what}.`).waitFor()
    }
    await builder.untilSaved()
    const undone = await readTour(tutti, 'undo')
    expect({ ...undone, revision: 0, updated_at: '', tips: undone.tips.map(withoutId) }).toEqual({
      ...before,
      revision: 0,
      updated_at: '',
      tips: before.tips.map(withoutId),
    })

    for (let change = 0; change < 7; change += 1) await page.keyboard.press('Control+Shift+z')
    await builder.untilSaved()
    const redone = await readTour(tutti, 'undo')
    expect(redone).toMatchObject({ status: true, launch: 'invite' })
    expect(redone.tips.map(({ label }) => label)).toEqual(['First', 'First (copy)'])
  })
})

function withoutId({ id: _id, ...tip }: { id: string }) {
  return tip
}
