import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { ConsoleUnderTest } from './console-under-test.ts'

export const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'API keys' }).getByRole('row').filter({ hasText: name })
/** The key that is shown once. */
export const secretOf = (page: Page) => page.locator('[data-secret="API key"]').innerText()

/** The response of the platform to this key. */
export async function useKey(
  { platform }: ConsoleUnderTest,
  key: string,
  path = '/api/v1/user/profile',
): Promise<number> {
  const response = await fetch(platform.url + path, { headers: { 'x-api-key': key } })
  await response.body?.cancel()
  return response.status
}

/** Creates a key in the form, and returns it. */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Create key' }).click()
  const key = await secretOf(page)
  await page.getByRole('button', { name: 'I have saved the key' }).click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  return key
}
