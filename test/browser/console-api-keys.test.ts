import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addPerson, removeAll, visitAs } from './administer.ts'
import { createKey, row, secretOf, useKey } from './api-keys-page.ts'
import { type ConsoleUnderTest, openConsole, waitForPage } from './console-under-test.ts'
import { readClipboard, readFocusedText, untilShown } from './in-page.ts'

let tutti: ConsoleUnderTest
beforeAll(async () => {
  tutti = await openConsole()
})
afterAll(() => tutti[Symbol.asyncDispose]())
beforeEach(() => removeAll(tutti.platform, '/api/v1/api-keys', 'data', 'id'))

describe('the API keys page', () => {
  test('explains API keys to a user without any, and creates the first one with the keyboard alone', async () => {
    const person = await addPerson(tutti.platform, 'fanny')
    await using visit = await visitAs(tutti, person, '/api-keys')
    const { page } = visit
    await waitForPage(page, 'API keys')
    await page.getByText('You have no API keys yet.').waitFor()
    expect(await page.getByRole('radiogroup').count()).toBe(0)
    await page.getByRole('button', { name: 'Create your first key' }).press('Enter')
    await page.waitForURL('**/api-keys?create=true')
    await page.getByRole('dialog', { name: 'Create API key' }).locator('input:focus').waitFor()
    await page.keyboard.type('Nightly report')
    await page.keyboard.press('Enter')
    const key = await secretOf(page)
    expect(key).toMatch(/^tk_/)
    await expect.poll(() => readFocusedText(page)).toBe('Copy')
    await page.getByRole('button', { name: 'I have saved the key' }).press('Enter')
    await row(page, 'Nightly report').waitFor()
    await expect.poll(() => row(page, 'Nightly report').innerText()).toContain(key.slice(0, 8))
    expect(await useKey(tutti, key)).toBe(200)
  })

  test('shows a key once, closes only by its own button, and copies it', async () => {
    await using visit = await tutti.visit({
      path: '/api-keys?create=true',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const { page } = visit
    await page.getByRole('dialog').getByLabel('Name').fill('Shown once')
    // As curl: copying sends no request.
    const curl = [
      `curl ${tutti.platform.url}/api/v1/api-keys \\`,
      '  -H "Authorization: Bearer $TUTTI_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{`,
      '  "name": "Shown once"',
    ].join('\n')
    await untilShown(page, 'Copied', () => page.getByRole('button', { name: 'Copy as curl' }).click())
    expect(await readClipboard(page)).toContain(curl)
    await page.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('dialog', { name: '“Shown once” is created' })
    const key = await secretOf(page)
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.goBack()
    await shown.getByText('Press “I have saved the key” to close this dialog.').waitFor()
    expect(await secretOf(page)).toBe(key)
    await untilShown(page, 'Copied API key', () =>
      shown.getByRole('button', { name: 'Copy API key' }).click(),
    )
    expect(await readClipboard(page)).toBe(key)
    await shown.getByRole('button', { name: 'I have saved the key' }).click()
    await shown.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Search or jump to…' }).click()
    const copy = page.getByRole('button', { name: 'Copy the last change as curl' })
    await untilShown(page, 'The last change is copied', () => copy.click())
    expect(await readClipboard(page)).toContain(curl)
    await page.reload()
    await row(page, 'Shown once').waitFor()
    expect(await page.locator('body').innerText()).not.toContain(key)
  })

  test('revokes a key after a confirmation that names it, and the platform refuses it from then on', async () => {
    await using visit = await tutti.visit({ path: '/api-keys' })
    const { page } = visit
    await waitForPage(page, 'API keys')
    const key = await createKey(page, 'Old metronome')
    expect(await useKey(tutti, key)).toBe(200)
    const revoke = row(page, 'Old metronome').getByRole('button', { name: 'Revoke Old metronome' })
    await revoke.click()
    const question = page.getByRole('dialog', { name: 'Revoke “Old metronome”?' })
    await expect.poll(() => question.innerText()).toContain(key.slice(0, 8))
    await question.locator('button:focus').waitFor()
    await page.keyboard.press('Enter')
    await question.waitFor({ state: 'detached' })
    expect(await useKey(tutti, key)).toBe(200)
    await expect.poll(() => readFocusedText(page)).toBe('Revoke')
    await revoke.click()
    await question.getByRole('button', { name: 'Revoke key' }).click()
    await row(page, 'Old metronome').waitFor({ state: 'detached' })
    await question.waitFor({ state: 'detached' })
    expect(await useKey(tutti, key)).toBe(401)
    await expect.poll(() => readFocusedText(page)).toBe('API keys')
  })

  test('keeps the input when the platform does not respond, and retries', async () => {
    await using visit = await tutti.visit({ path: '/api-keys?create=true' })
    const { page } = visit
    const form = page.getByRole('dialog', { name: 'Create API key' })
    await form.getByLabel('Name').fill('Second try')
    await page.route('**/api/v1/api-keys', (route) => route.abort('connectionrefused'))
    await form.getByRole('button', { name: 'Create key' }).click()
    const notice = form.getByRole('alert')
    await notice.getByText('The key was not created.').waitFor()
    await page.unroute('**/api/v1/api-keys')
    await notice.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('dialog', { name: '“Second try” is created' }).waitFor()
  })
})
