import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const page = new URL('../../docs/security/checklist.md', import.meta.url)
const own = 'checklist.test.ts'

interface Line {
  readonly attack: string
  readonly instead: string
  readonly file: string
}

/** The lines of all tables: attack, what happens instead, a link to the file of its test. */
async function readPage(): Promise<Line[]> {
  const rows = [
    ...(await readFile(page, 'utf8')).matchAll(/^\| (.+?) \| (.+?) \| \[\w[\w-]*\]\((.+?)\) \|$/gm),
  ]
  return rows.map(([, attack = '', instead = '', link = '']) => ({
    attack,
    instead,
    file: new URL(link, page).pathname,
  }))
}

/** The names of all tests, by their files. */
async function readTests(): Promise<Line[]> {
  const folder = new URL('.', import.meta.url)
  const files = (await readdir(folder)).filter((name) => name.endsWith('.test.ts') && name !== own)
  const read = files.map(async (name) => {
    const text = await readFile(new URL(name, folder), 'utf8')
    return [...text.matchAll(/^test\('(.+)', /gm)].map(([, attack = '']) => ({
      attack,
      instead: '',
      file: new URL(name, folder).pathname,
    }))
  })
  return (await Promise.all(read)).flat()
}

const told = ({ attack, file }: Line) => `${file.split('/').at(-1)}: ${attack}`

test('every line of the checklist is a test, and every test is a line', async () => {
  const [lines, tests] = [await readPage(), await readTests()]
  expect(lines.length).toBeGreaterThanOrEqual(40)
  expect(lines.map(told).sort()).toEqual(tests.map(told).sort())
  expect(new Set(lines.map(({ attack }) => attack)).size).toBe(lines.length)
})
