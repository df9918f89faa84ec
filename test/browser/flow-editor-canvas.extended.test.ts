import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { administer } from './administer.ts'
import { type ConsoleUnderTest, openConsole } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForIdle } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti?.[Symbol.asyncDispose]())

interface Point {
  readonly x: number
  readonly y: number
}

/** The parts of the canvas, as users see them. */
function canvasOf(page: Page) {
  const step = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
  return {
    step,
    surface: page.locator('.react-flow'),
    end: (id: string) => step(id).getByTitle('Drag to the next step'),
    branch: (id: string, label: string) => step(id).getByTitle(`Drag to the step that runs when ${label}`),
    line: (name: string) => page.getByRole('group', { name, exact: true }),
    told: async (text: string) => await page.getByRole('status').getByText(text).waitFor(),
    async drag(from: Point, to: Point, meanwhile?: () => Promise<unknown>): Promise<void> {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 })
      await page.mouse.move(to.x, to.y, { steps: 4 })
      await meanwhile?.()
      await page.mouse.up()
    },
    /** The position of a step in the flow, independent of pan and zoom. */
    placeOf: async (id: string): Promise<readonly number[]> => {
      const style = (await step(id).getAttribute('style')) ?? ''
      return [...(/translate\(([-\d.]+)px, ([-\d.]+)px\)/.exec(style) ?? [])].slice(1).map(Number)
    },
    kind: (title: string) =>
      page.getByRole('list', { name: 'Step types' }).getByRole('listitem').filter({ hasText: title }),
  }
}

/** The canvas moves steps a frame after it has shown them. */
async function middleOf(element: Locator): Promise<Point> {
  await element.waitFor()
  await waitForIdle(element.page())
  const box = await element.boundingBox()
  if (box === null) throw new Error('not to be seen')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const wide = { viewport: { width: 1440, height: 900 } }

test('a flow is built with the mouse, from an empty canvas', async () => {
  await using visit = await tutti.visit({ path: '/workflows/new', ...wide })
  const { page, complaints } = visit
  const canvas = canvasOf(page)
  await page.getByText('This workflow has no steps yet.').waitFor()

  // Dropped from the palette, and added at the end of a step.
  await canvas.kind('Prompt').dragTo(canvas.surface, { targetPosition: { x: 200, y: 160 } })
  await canvas.told('Prompt: ask was added.')
  await page.getByRole('button', { name: 'Add a step after ask' }).click()
  const choice = page.getByRole('dialog', { name: 'Step types' })
  await choice.getByRole('button', { name: 'Condition' }).click()
  await canvas.line('From ask to decide').waitFor({ state: 'attached' })
  await choice.waitFor({ state: 'detached' })

  // A line dropped on empty canvas opens the palette; one dropped on a step connects it.
  const otherwise = canvas.branch('decide', 'otherwise')
  const from = await middleOf(otherwise)
  await canvas.drag(from, { x: from.x + 60, y: from.y + 120 })
  await choice.getByRole('button', { name: 'Transform' }).click()
  await canvas.line('From decide to transform, when otherwise').waitFor({ state: 'attached' })
  await canvas.kind('HTTP request').dragTo(canvas.surface, { targetPosition: { x: 130, y: 480 } })
  await canvas.told('HTTP request: call was added.')
  await canvas.drag(
    await middleOf(canvas.branch('decide', 'content exists')),
    await middleOf(canvas.step('call')),
  )
  await canvas.told('Connected decide to call when content exists.')
  await canvas.drag(await middleOf(canvas.end('call')), await middleOf(canvas.step('transform')))
  await canvas.told('Connected call to transform.')

  // A cycle is refused while it is drawn.
  await canvas.drag(await middleOf(canvas.end('transform')), await middleOf(canvas.step('ask')), () =>
    page.getByText('This would create a cycle.', { exact: true }).waitFor(),
  )
  await canvas.told('ask runs before transform: this would create a cycle.')
  expect(await canvas.line('From transform to ask').count()).toBe(0)

  // A step dropped on a line is inserted into it.
  const line = await canvas.line('From ask to decide').locator('.react-flow__edge-interaction').boundingBox()
  const surface = await canvas.surface.boundingBox()
  if (line === null || surface === null) throw new Error('not to be seen')
  await canvas.kind('Transform').dragTo(canvas.surface, {
    targetPosition: {
      x: line.x + line.width / 2 - surface.x,
      y: line.y + line.height / 2 - surface.y,
    },
  })
  await canvas.told('Transform: transform_2 was added, between ask and decide.')
  await canvas.line('From transform_2 to decide').waitFor({ state: 'attached' })

  // A line is removed by key or button, and restored by undo.
  await canvas.line('From call to transform').focus()
  await page.keyboard.press('Space')
  await page.keyboard.press('Delete')
  await canvas.told('Removed the connection from call to transform.')
  await page.keyboard.press('Control+z')
  await canvas.line('From call to transform').focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: 'Remove connection' }).click()
  await canvas.line('From call to transform').waitFor({ state: 'detached' })
  expect(complaints).toEqual([])
})

const merge = (id: string, ...dependencies: readonly string[]) => ({
  id,
  type: 'data_transform',
  transformations: [{ operation: 'merge', sources: ['content'] }],
  ...(dependencies.length === 0 ? {} : { dependencies }),
})

test('steps are moved, selected and laid out, by mouse and by keyboard', async () => {
  const route = {
    id: 'route',
    type: 'ai_prompt',
    prompt: 'Route {{content}}',
    ai_options: { model: 'builtin:text' },
    agent_routing: true,
    routing_options: { risky: { add_steps: ['extra'], continue_to: 'end' }, fine: { continue_to: 'end' } },
  }
  const id = `moved-${randomUUID().slice(0, 8)}`
  await administer(tutti.platform, 'POST', '/ai-workflows/api/flows', {
    flow_definition: {
      id,
      label: 'Moved',
      steps: [route, merge('extra'), merge('end', 'route'), merge('other', 'route')],
    },
  })
  await using visit = await tutti.visit({ path: `/workflows/${id}/edit`, ...wide })
  const { page, complaints } = visit
  const canvas = canvasOf(page)
  await canvas.step('end').waitFor()
  await waitForIdle(page)
  const before = await canvas.placeOf('end')

  // One drag is one change, also of several at once.
  const grip = await middleOf(canvas.step('end').getByText('end', { exact: true }))
  await canvas.drag(grip, { x: grip.x + 80, y: grip.y + 40 })
  await expect.poll(() => canvas.placeOf('end')).not.toEqual(before)
  await page.getByRole('button', { name: 'Undo moving end' }).click()
  await expect.poll(() => canvas.placeOf('end')).toEqual(before)
  await canvas.step('extra').click()
  await canvas.step('end').click({ modifiers: ['Shift'] })
  await page.getByText('2 steps selected').waitFor()
  const extraBefore = await canvas.placeOf('extra')
  await canvas.drag(grip, { x: grip.x + 80, y: grip.y + 40 })
  await page.getByRole('button', { name: 'Undo moving 2 steps' }).waitFor()
  const moved = await canvas.placeOf('end')
  const [extra, end] = [await canvas.placeOf('extra'), moved].map((place, index) =>
    place.map((number, axis) => number - ((index === 0 ? extraBefore : before)[axis] ?? 0)),
  )
  expect(extra).toEqual(end)

  // By keyboard: on a grid of 8, further with Shift, and all of it one change.
  await page.keyboard.press('Escape')
  await canvas.step('extra').focus()
  await page.keyboard.press('Space')
  const [x = 0, y = 0] = await canvas.placeOf('extra')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(() => canvas.placeOf('extra')).toEqual([x + 8, y + 32])
  await page.getByRole('button', { name: 'Undo moving extra' }).click()
  await expect.poll(() => canvas.placeOf('extra')).toEqual([x, y])

  // Enter opens the form of a step; Delete removes it and the references to it.
  await canvas.step('end').focus()
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Label' }).evaluate((field) => field.matches(':focus')))
    .toBe(true)
  await canvas.step('extra').focus()
  await page.keyboard.press('Delete')
  await canvas.told('extra was removed.')
  await page.keyboard.press('Control+z')
  await canvas.step('extra').waitFor()

  // An option that already continues to a step adds the next one; the line offers the other meaning.
  await canvas.drag(await middleOf(canvas.branch('route', 'fine')), await middleOf(canvas.step('other')))
  await canvas.told('Connected route to other when fine.')
  await page.getByRole('button', { name: 'Continue with step' }).click()
  await canvas.told('The option continues with the step now: route to other when fine.')
  await page.getByRole('button', { name: 'Add step' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await switchColours(page, 'dark')
  expect(await findColourViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Auto layout', exact: true }).click()
  await canvas.told('Steps laid out.')
  await expect.poll(() => canvas.placeOf('end')).not.toEqual(moved)
  expect(
    await page.getByRole('button', { name: 'Auto layout', exact: true }).getAttribute('aria-disabled'),
  ).toBe('true')
  await page.keyboard.press('Control+z')
  await expect.poll(() => canvas.placeOf('end')).toEqual(moved)

  // On a narrow screen the form covers the flow until it is closed.
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('radiogroup', { name: 'Pane' }).getByText('Workflow', { exact: true }).click()
  await canvas.surface.waitFor()
  await expect.poll(() => readSidewaysScroll(page)).toBe(0)
  expect(complaints).toEqual([])
})
