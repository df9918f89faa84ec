import { describe, expect, test } from 'vitest'
import { createContentWriter, describeMedia } from './content-writer.ts'

const bounds = { maxCharacters: 1000, maxTextLength: 400 }
const secret = 'hunter2hunter2XYZ'

describe('a content writer', () => {
  test('hides secrets by their format and by the name of their field', async () => {
    const writer = createContentWriter(bounds)
    expect(await writer.text(`use sk-${secret} please`)).toBe('use sk-[redacted] please')
    const value = await writer.value({
      header: `Bearer ${secret}`,
      api_key: secret,
      depth: [{ password: secret }],
    })
    expect(JSON.stringify(value)).not.toContain(secret)
    expect(writer.isTruncated()).toBe(false)
  })

  test('never shows a part of a secret that lies across the cut', async () => {
    for (let shift = 0; shift < 40; shift += 1) {
      const writer = createContentWriter(bounds)
      const text = `${'x '.repeat(200 - shift)}sk-${secret}${' y'.repeat(500)}`
      expect(await writer.text(text)).not.toContain('hunter')
      expect(writer.isTruncated()).toBe(true)
    }
  })

  test('keeps all texts together within the bound', async () => {
    const writer = createContentWriter(bounds)
    const texts = await Promise.all(Array.from({ length: 20 }, () => writer.text('z '.repeat(300))))
    expect(texts.join('').length).toBeLessThan(1700)
    expect(writer.isFull()).toBe(true)
  })

  test('bounds depth and entries', async () => {
    const writer = createContentWriter({ maxCharacters: 100_000, maxTextLength: 400 })
    let deep: unknown = 'bottom'
    for (let level = 0; level < 50; level += 1) deep = { deep }
    expect(JSON.stringify(await writer.value(deep))).not.toContain('bottom')
    const wide = await writer.value(Array.from({ length: 5000 }, (_, index) => index))
    expect(wide).toHaveLength(65)
    expect(writer.isTruncated()).toBe(true)
  })

  test('writes texts that PostgreSQL can store', async () => {
    expect(await createContentWriter(bounds).text('a\0b\ud800c')).toBe('ab\ufffdc')
  })
})

describe('describeMedia', () => {
  test.each([
    [`data:image/png;base64,${'A'.repeat(400)}`, '[image/png, 300 bytes]'],
    [`data:;base64,AAA=`, '[media, 2 bytes]'],
    ['iVBORw0KGgo'.repeat(100), '[media, 825 bytes]'],
  ])('describes %s', (text, described) => {
    expect(describeMedia(text)).toBe(described)
  })

  test.each(['A photo of the sea.', 'https://example.com/a.png', 'word '.repeat(500)])(
    'leaves %s',
    (text) => {
      expect(describeMedia(text)).toBeUndefined()
    },
  )
})
