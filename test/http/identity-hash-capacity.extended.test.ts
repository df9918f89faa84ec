import { expect, test } from 'vitest'
import { errorCode, signIn, startIdentityServer } from './identity-server.ts'

test('sign-ins beyond the hash capacity get an error, and other requests are served', async () => {
  await using server = await startIdentityServer()
  const concurrent = Array.from({ length: 250 }, (_, index) =>
    signIn(
      server,
      { username: `concurrent${index}`, password: 'x' },
      { ip: `10.9.${index >> 4}.${index & 15}` },
    ),
  )
  const bystander = await fetch(`${server.url}/api/v1/content`)
  expect(bystander.status).toBe(200)

  const answers = await Promise.all(concurrent)
  const turnedAway = answers.filter(({ status }) => status === 503)
  expect(turnedAway.length).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(66)
  expect(answers.filter(({ status }) => status !== 401 && status !== 503)).toEqual([])
  for (const answer of turnedAway) {
    expect(answer.headers.get('retry-after')).toBe('2')
    expect(await errorCode(answer)).toBe('overloaded')
  }
})
