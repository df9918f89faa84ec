import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { collectBody } from './collect-body.ts'

const chunks = (...texts: readonly string[]) => Readable.from(texts.map((text) => Buffer.from(text)))
const maxBytes = 100_000

describe('a body', () => {
  test.each([
    ['without chunks', 0, []],
    ['in one chunk', 3, ['abc']],
    ['in several chunks', 7, ['ab', 'cde', '', 'fg']],
  ])('%s is collected', async (_kind, contentLength, texts) => {
    const given = { payload: chunks(...texts), contentLength, maxBytes }
    expect((await collectBody(given)).toString()).toBe(texts.join(''))
  })

  test('of unknown length is collected', async () => {
    const texts = Array.from({ length: 90 }, (_, nth) => String(nth % 10).repeat(1000))
    const body = await collectBody({ payload: chunks(...texts), contentLength: undefined, maxBytes })
    expect(body.toString()).toBe(texts.join(''))
    expect(await collectBody({ payload: chunks(), contentLength: undefined, maxBytes })).toHaveLength(0)
  })

  test.each([undefined, 90_000, 200_000])(
    'that is too large is refused (Content-Length: %s)',
    async (contentLength) => {
      const payload = chunks('x'.repeat(60_000), 'x'.repeat(60_000))
      const collecting = collectBody({ payload, contentLength, maxBytes })
      await expect(collecting).rejects.toMatchObject({ code: 'FST_ERR_CTP_BODY_TOO_LARGE' })
    },
  )

  test('of another length than announced is refused', async () => {
    const collecting = collectBody({ payload: chunks('abc'), contentLength: 4, maxBytes })
    await expect(collecting).rejects.toMatchObject({ code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' })
  })

  test('that breaks off is an error of the client', async () => {
    const payload = new Readable({ read() {} })
    const collecting = collectBody({ payload, contentLength: 4, maxBytes })
    payload.push('abc')
    payload.destroy(new Error('gone'))
    await expect(collecting).rejects.toMatchObject({ message: 'gone', statusCode: 400 })
  })
})
