import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { addAccount, startIdentityServer } from './identity-server.ts'

const hildegard = { username: 'hildegard', password: 'ordo virtutum' }

test.each(['light', 'dark'] as const)('a user signs in with the keyboard alone, %s', async (colorScheme) => {
  await using server = await startIdentityServer()
  await addAccount(server.database, hildegard)
  await using browser = await openBrowser()
  await using context = await browser.newContext({ colorScheme })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })

  await page.goto(`${server.url}/user/login?destination=${encodeURIComponent('/api/v1/user/profile')}`)
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

  const focused = page.locator(':focus')
  await page.getByLabel('Username').and(focused).waitFor()
  await page.keyboard.type('hildegard')
  await page.keyboard.press('Tab')
  await page.keyboard.type('a wrong password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').textContent()).toBe('The username or password is wrong.')
  expect(await page.getByLabel('Username').inputValue()).toBe('hildegard')
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])

  await page.getByLabel('Password').and(focused).waitFor()
  await page.keyboard.type(hildegard.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/api/v1/user/profile')
  expect(await page.textContent('body')).toContain('"username":"hildegard"')
  const [cookie] = await context.cookies()
  expect(cookie).toMatchObject({ name: 'SESS', httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(complaints).toEqual([])
})
