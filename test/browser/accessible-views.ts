import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { type ConsoleUnderTest, waitForPage } from './console-under-test.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll, switchColours, waitForStillness } from './in-page.ts'

/** A state of a page that is checked. */
export interface View {
  readonly name: string
  readonly path: string
  readonly title: string
  /** Expected console errors of the browser. */
  readonly complaints?: readonly string[]
  /** A console error that the browser may log, depending on the speed of the machine. */
  readonly mayComplain?: string
  /** It opens an overlay, which would cover the next page. */
  readonly isOverAll?: boolean
  /** It must be opened by a page load, because it depends on the response to its URL. */
  readonly isLoaded?: boolean
  readonly prepare?: (page: Page) => Promise<void>
}

/** Opens a page like a link: loaded and compiled scripts stay. */
export async function goInside(page: Page, path: string, title: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`)
  await waitForPage(page, title)
}

type Visit = Pick<Awaited<ReturnType<ConsoleUnderTest['visit']>>, 'page' | 'complaints'>

/** Checks each view with axe, in both colour schemes and on a narrow screen, in one window. */
export function checkViews(visitOf: () => Visit, views: readonly View[]): void {
  /** Whether the window shows a page without an overlay, so that the next one can be opened. */
  let isInside = false

  async function openView(page: Page, { path, title, prepare, isLoaded = false }: View): Promise<void> {
    if (isInside && !isLoaded) {
      // Through an empty page, so that a reopened page keeps no state.
      await goInside(page, '/nowhere', 'Page not found')
      await goInside(page, path, title)
    } else {
      await page.goto(path)
      await waitForPage(page, title)
    }
    isInside = false
    await prepare?.(page)
  }

  test.each(views)(
    'axe and the browser report no problem with $name: light, dark, or 360 pixels wide',
    async (view) => {
      const { page, complaints } = visitOf()
      const earlier = complaints.length
      await page.emulateMedia({ colorScheme: 'light' })
      await page.setViewportSize({ width: 1280, height: 720 })
      await openView(page, view)
      expect(await findViolations(page)).toEqual([])
      // The page follows the system colour scheme, so the same view is checked again.
      await switchColours(page, 'dark')
      expect(await findColourViolations(page)).toEqual([])
      await page.setViewportSize({ width: 360, height: 740 })
      await waitForStillness(page)
      expect(await readSidewaysScroll(page)).toBe(0)
      const heard = complaints.slice(earlier).filter((complaint) => complaint !== view.mayComplain)
      expect(heard).toEqual(view.complaints ?? [])
      isInside = view.isOverAll !== true
    },
  )
}
