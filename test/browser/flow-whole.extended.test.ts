import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { waitForIdle } from './in-page.ts'
import { click } from './run-jobs.ts'
import {
  changeAndRollBack,
  field,
  model,
  nameStep,
  openWholeFlow,
  runRecoverForkCompare,
  save,
  type WholeFlow,
} from './whole-flow.ts'

let whole: WholeFlow
beforeAll(async () => {
  whole = await openWholeFlow()
})
afterAll(() => whole?.[Symbol.asyncDispose]())

async function middleOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error('not to be seen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('a flow is built, run, recovered, forked, compared and rolled back with the mouse', {
  timeout: 240_000 * patience,
}, async () => {
  await using visit = await whole.tutti.visit({
    path: '/workflows/new',
    viewport: { width: 1600, height: 1000 },
  })
  const { page, complaints } = visit
  const step = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
  const surface = page.locator('.react-flow')
  const drag = async (from: Locator, to: Locator) => {
    // The canvas moves steps a frame after it has shown them.
    await waitForIdle(page)
    const [start, end] = [await middleOf(from), await middleOf(to)]
    await page.mouse.move(start.x, start.y)
    await page.mouse.down()
    await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 })
    await page.mouse.move(end.x, end.y, { steps: 4 })
    await page.mouse.up()
  }
  const drop = async (title: string, at: { x: number; y: number }) => {
    await page
      .getByRole('list', { name: 'Step types' })
      .getByRole('listitem')
      .filter({ hasText: title })
      .dragTo(surface, { targetPosition: at })
  }
  await page.getByText('This workflow has no steps yet.').waitFor()

  await drop('Prompt', { x: 320, y: 60 })
  await nameStep(page, 'ask', 'ask')
  await field('Prompt', page).fill('Review {{content}}')
  await field('Model', page).fill(model)
  await field('Output to memory', page).fill('review')
  await field('Agent routing', page).selectOption('true')
  for (const option of ['deep', 'fine']) {
    await field('Name of a new routing option', page).fill(option)
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: option, exact: true }).waitFor()
  }
  await drop('Transform', { x: 560, y: 260 })
  await nameStep(page, 'transform', 'more')
  await drop('Condition', { x: 160, y: 330 })
  await nameStep(page, 'decide', 'decide')
  const condition = page.getByRole('group', { name: 'Condition 1', exact: true })
  await field('Field', condition).fill('review')
  await drop('HTTP request', { x: 160, y: 560 })
  await nameStep(page, 'call', 'call')
  await field('URL', page).fill(whole.service.url)
  await field('Retry attempts', page).fill('0')
  await page.locator('summary', { hasText: 'Advanced' }).click()
  await page.locator('summary', { hasText: 'Retry config' }).click()
  await field('Max attempts', page).fill('1')
  await field('Output to memory', page).fill('stories')
  await drop('Transform', { x: 440, y: 720 })
  await nameStep(page, 'transform', 'end')

  const branch = (id: string, label: string) =>
    step(id).getByTitle(`Drag to the step that runs when ${label}`)
  const end = (id: string) => step(id).getByTitle('Drag to the next step')
  const told = async (text: string) => {
    await page.getByRole('status').getByText(text).waitFor()
    // The new line is selected, and its buttons cover the next target.
    await page.keyboard.press('Escape')
  }
  await drag(branch('ask', 'deep'), step('decide'))
  await told('Connected ask to decide when deep.')
  await drag(branch('ask', 'deep'), step('more'))
  await told('Connected ask to more when deep.')
  await drag(branch('ask', 'fine'), step('decide'))
  await told('Connected ask to decide when fine.')
  await drag(branch('decide', 'review exists'), step('call'))
  await told('Connected decide to call when review exists.')
  await drag(branch('decide', 'otherwise'), step('end'))
  await told('Connected decide to end when otherwise.')
  await drag(end('call'), step('end'))
  await told('Connected call to end.')
  await save(whole, page, 'by-mouse', click)

  await runRecoverForkCompare(whole, page, 'by-mouse', click)
  await changeAndRollBack(whole, page, 'by-mouse', click)
  expect(complaints).toEqual([])
})
