import { afterAll, beforeAll, expect, test } from 'vitest'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours } from './in-page.ts'
import { openStatusPage, type StatusPageUnderTest } from './status-page-under-test.ts'

let status: StatusPageUnderTest
beforeAll(async () => {
  status = await openStatusPage()
})
afterAll(() => status?.[Symbol.asyncDispose]())

test('the status page renders correctly, light or dark, at 1000 or 360 pixels', async () => {
  for (const path of ['/status', '/status?range=24h', `/status/incidents/${status.ids.planned}`]) {
    await using visiting = await status.visit(path)
    const { page } = visiting
    await page.locator('details').evaluateAll('(all) => all.forEach((it) => { it.open = true })')
    for (const width of [1000, 360]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await readSidewaysScroll(page), `${path}, ${width} pixels`).toBe(0)
      expect(await findViolations(page), `${path}, ${width} pixels, light`).toEqual([])
      await switchColours(page, 'dark')
      expect(await findColourViolations(page), `${path}, ${width} pixels, dark`).toEqual([])
      await switchColours(page, 'light')
    }
  }
})
