import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { pressAt } from './in-page.ts'
import { press } from './run-jobs.ts'
import {
  changeAndRollBack,
  field,
  kind,
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

test('a flow is built, run, recovered, forked, compared and rolled back by keyboard', {
  timeout: 180_000 * patience,
}, async () => {
  await using visit = await whole.tutti.visit({ path: '/workflows/new?view=list' })
  const { page, complaints } = visit
  const add = async (title: string, from: string, to: string) => {
    await press(kind(page, title))
    await nameStep(page, from, to)
  }
  const open = (id: string) => press(page.locator(`[data-step="${id}"] [data-part="open"]`))
  await page.getByText('This workflow has no steps yet.').waitFor()

  await add('Prompt', 'ask', 'ask')
  await field('Prompt', page).fill('Review {{content}}')
  await field('Model', page).fill(model)
  await field('Output to memory', page).fill('review')
  await add('Condition', 'decide', 'decide')
  const condition = page.getByRole('group', { name: 'Condition 1', exact: true })
  await field('Field', condition).fill('review')
  await add('HTTP request', 'call', 'call')
  await field('URL', page).fill(whole.service.url)
  await field('Retry attempts', page).fill('0')
  await press(page.locator('summary', { hasText: 'Advanced' }))
  await press(page.locator('summary', { hasText: 'Retry config' }))
  await field('Max attempts', page).fill('1')
  await field('Output to memory', page).fill('stories')
  await add('Transform', 'transform', 'end')
  await add('Transform', 'transform', 'more')
  await press(page.locator('[data-step="more"] [data-part="after"]'))
  await pressAt(page.getByRole('checkbox', { name: /\. end$/ }), 'Space')
  await page.keyboard.press('Escape')

  await open('decide')
  await field('Next step', condition).selectOption('call')
  await press(page.locator('summary', { hasText: 'Default action' }))
  const otherwise = page.locator('details', { hasText: 'Default action' })
  await field('Type', otherwise).selectOption('continue')
  await field('Next step', otherwise).selectOption('end')
  await open('ask')
  await field('Agent routing', page).selectOption('true')
  for (const option of ['deep', 'fine']) {
    await field('Name of a new routing option', page).fill(option)
    await page.keyboard.press('Enter')
    const group = page.getByRole('group', { name: option, exact: true })
    await field('Continue to', group).selectOption('decide')
    if (option === 'fine') continue
    await field('Add steps', group).pressSequentially('more')
    await page.getByRole('option', { name: /^more/ }).first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
  }
  await save(whole, page, 'by-keyboard', press)

  await runRecoverForkCompare(whole, page, 'by-keyboard', press)
  await changeAndRollBack(whole, page, 'by-keyboard', press)
  expect(complaints).toEqual([])
})
