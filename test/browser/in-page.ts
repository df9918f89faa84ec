/** Scripts that run in the page. They are strings, because the tests are type-checked without DOM types. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export async function readClipboard(page: Page): Promise<string> {
  return await page.evaluate<string>('navigator.clipboard.readText()')
}

export async function readFocusedText(page: Page): Promise<string> {
  return await page.evaluate<string>('document.activeElement.textContent.trim()')
}

/**
 * Waits until the page has nothing to do. A dialog that opens or closes moves the focus only after it was shown or removed,
 * and listens to keys only then.
 */
export async function waitForIdle(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (let round = 0; round < 2; round += 1) {
      await new Promise((idle) => requestIdleCallback(idle, { timeout: 2000 }))
      await new Promise((due) => setTimeout(due))
    }
  })()`)
}

/** Presses a key at an element, also in a dialog that opens, or beside one that closes. */
export async function pressAt(target: Locator, key = 'Enter'): Promise<void> {
  await target.waitFor()
  await waitForIdle(target.page())
  await target.press(key)
}

/** Closes a dialog by Escape, also one that opens. */
export async function closeByEscape(dialog: Locator): Promise<void> {
  await dialog.waitFor()
  await waitForIdle(dialog.page())
  await dialog.page().keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

/**
 * Acts, and waits until the page has shown a text or a name with it. The page watches for it itself: a notice is gone after five seconds
 * and the outcome of a copy sooner, before a busy machine may look.
 */
export async function untilShown(page: Page, text: string, act: () => Promise<void>): Promise<void> {
  await page.evaluate(`(() => {
    const text = ${JSON.stringify(text)}
    const isNamed = () => [...document.querySelectorAll('[aria-label]')].some(({ ariaLabel }) => ariaLabel.includes(text))
    window.wasShown = false
    new MutationObserver((_changes, observer) => {
      if (!document.body.textContent.includes(text) && !isNamed()) return
      window.wasShown = true
      observer.disconnect()
    }).observe(document.body, { subtree: true, childList: true, characterData: true, attributeFilter: ['aria-label'] })
  })()`)
  await act()
  // The policy of the console forbids the evaluations that `waitForFunction` repeats.
  await expect.poll(() => page.evaluate('window.wasShown')).toBe(true)
}

/**
 * Presses a shortcut of two keys. Both must come within a second, which a busy machine may need for the first
 * one alone; then it presses them again.
 */
export async function pressTogether(
  page: Page,
  [first, second]: readonly [string, string],
  title: string,
): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press(first)
      await page.keyboard.press(second)
      return await page.getByRole('heading', { level: 1, name: title }).isVisible()
    })
    .toBe(true)
}

export async function readGroundColour(page: Page): Promise<string> {
  return await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
}

/** Changes the system preferences of an open page, and waits until the page has followed. */
export async function switchColours(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  const before = await readGroundColour(page)
  await page.emulateMedia({ colorScheme })
  await expect.poll(() => readGroundColour(page)).not.toBe(before)
}

export async function readScroll(page: Page): Promise<number> {
  return await page.evaluate<number>('window.scrollY')
}

export async function scrollTo(page: Page, top: number): Promise<void> {
  await page.evaluate(`window.scrollTo(0, ${top})`)
  await expect.poll(() => readScroll(page)).toBe(top)
  // The page gets the scroll event with the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
}

/** How many pixels of the page lie beyond the right edge of the screen. */
export async function readSidewaysScroll(page: Page): Promise<number> {
  return await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
}

export async function readTop(element: Locator): Promise<number | undefined> {
  return (await element.boundingBox())?.y
}

/** Waits until all animations have ended, including those that start after another one. */
export async function waitForStillness(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    // Tours have their own shadow root, whose animations the document does not list.
    const roots = () => [document, ...[...document.body.children].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
    for (let stillFrames = 0; stillFrames < 2; stillFrames += 1) {
      const moving = roots().flatMap((root) => root.getAnimations()).filter(({ playState }) => playState === 'running')
      if (moving.length > 0) stillFrames = -1
      await Promise.all(moving.map((animation) => animation.finished.catch(() => undefined)))
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })()`)
}

/** Starts to record layout shifts. */
export async function watchLayout(page: Page): Promise<void> {
  await page.evaluate(`
    window.movedByItself = 0
    new PerformanceObserver((list) => {
      for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) window.movedByItself += value
    }).observe({ type: 'layout-shift' })
  `)
}

/** The cumulative layout shift since then. Browsers rate up to 0.1 as good. */
export async function readMovement(page: Page): Promise<number> {
  return await page.evaluate<number>('window.movedByItself')
}
