import { readFile, stat } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { ensureConsoleBuilt } from '../../scripts/build-console.ts'

const dist = new URL('../../console/dist/', import.meta.url)
const firstLoadLimit = 160 * 1024

beforeAll(() => ensureConsoleBuilt({ log: () => undefined }))

/** The files that index.html loads directly. */
async function firstLoad(): Promise<string[]> {
  const index = await readFile(new URL('index.html', dist), 'utf8')
  return [...index.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map((match) => match[1] ?? '')
}

describe('the built console', () => {
  test('loads at most 160 KB of scripts and styles first', async () => {
    const files = await firstLoad()
    const sizes = await Promise.all(
      files.map(async (file) => gzipSync(await readFile(new URL(file, dist)), { level: 9 }).length),
    )
    const total = sizes.reduce((sum, size) => sum + size, 0)
    console.log(`console first load: ${(total / 1024).toFixed(1)} KB gzip in ${files.length} files`)
    expect(files.length).toBeGreaterThan(1)
    expect(total).toBeLessThan(firstLoadLimit)
  })

  test('has a compressed copy of every file it loads first', async () => {
    for (const file of await firstLoad()) {
      for (const ending of ['.gz', '.br']) {
        expect((await stat(new URL(file + ending, dist))).size).toBeGreaterThan(0)
      }
    }
  })

  test('runs no script or style without a nonce, and writes no style attribute', async () => {
    const index = await readFile(new URL('index.html', dist), 'utf8')
    const inline = [...index.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag)
    expect(inline.length).toBeGreaterThan(0)
    for (const tag of inline) expect(tag).toContain('nonce="__CSP_NONCE__"')
    expect(index).not.toMatch(/\sstyle=|\son\w+=/)
  })

  test('is not rebuilt while its sources are unchanged', async () => {
    const lines: string[] = []
    const before = await stat(new URL('index.html', dist))
    await ensureConsoleBuilt({ log: (line) => lines.push(line) })
    expect(lines).toEqual([])
    expect(await stat(new URL('index.html', dist))).toMatchObject({
      ino: before.ino,
      mtimeMs: before.mtimeMs,
    })
  })
})
