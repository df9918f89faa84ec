import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { createSealing, type Sealing, sealingSettings } from '#kernel/sealing'

const seat = { purpose: 'provider-key', place: 'openai' }
const [oldSecret, newSecret] = ['the old one, 32 characters long!', 'the new one, 32 characters long!']

/** A folder as an embedded database has it. */
async function createFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'tutti-sealing-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

function sealingOf(
  kind: 'embedded' | 'server',
  { path }: { readonly path: string },
  environment: Readonly<Record<string, string>> = {},
): Sealing {
  return createSealing({
    settings: readSettings(sealingSettings, environment),
    database: { kind },
    dataDir: path,
  })
}

describe('without TUTTI_SECRET', () => {
  test('the embedded database gets a secret of its own at the first use, for its owner alone', async () => {
    await using folder = await createFolder()
    const sealing = sealingOf('embedded', folder)
    expect(sealing.canSeal()).toBe(true)
    expect(await readdir(folder.path)).toEqual([])
    const sealed = await sealing.seal('sk-1', seat)
    expect(await readdir(folder.path)).toEqual(['secret'])
    expect((await stat(join(folder.path, 'secret'))).mode & 0o777).toBe(0o600)
    expect(await sealingOf('embedded', folder).open(sealed, seat)).toBe('sk-1')
  })

  test('processes that make it at the same time agree on one', async () => {
    await using folder = await createFolder()
    const several = Array.from({ length: 20 }, () => sealingOf('embedded', folder))
    const sealed = await Promise.all(several.map((sealing) => sealing.seal('sk-1', seat)))
    const last = sealingOf('embedded', folder)
    expect(await Promise.all(sealed.map((text) => last.open(text, seat)))).toEqual(several.map(() => 'sk-1'))
    expect(await readdir(folder.path)).toEqual(['secret'])
  })

  test('nothing is stored beside a server of one’s own, and the failure says what to set', async () => {
    await using folder = await createFolder()
    const sealing = sealingOf('server', folder)
    expect(sealing.canSeal()).toBe(false)
    await expect(sealing.seal('sk-1', seat)).rejects.toMatchObject({
      code: 'secret_missing',
      status: 409,
      message: expect.stringContaining('TUTTI_SECRET'),
    })
    expect(await readdir(folder.path)).toEqual([])
  })

  test('looking at what is sealed makes no secret', async () => {
    await using folder = await createFolder()
    const sealed = await sealingOf('server', folder, { TUTTI_SECRET: oldSecret }).seal('sk-1', seat)
    const sealing = sealingOf('embedded', folder)
    expect(await sealing.isCurrent(sealed)).toBe(false)
    await expect(sealing.open(sealed, seat)).rejects.toMatchObject({ code: 'secret_wrong', status: 409 })
    expect(await readdir(folder.path)).toEqual([])
  })

  test.each([
    ['is empty', (path: string) => writeFile(path, '')],
    ['is a folder', (path: string) => mkdir(path)],
  ])('a file that %s is never replaced, and named', async (_name, spoil) => {
    await using folder = await createFolder()
    await spoil(join(folder.path, 'secret'))
    await expect(sealingOf('embedded', folder).seal('sk-1', seat)).rejects.toMatchObject({
      code: 'secret_missing',
      message: expect.stringContaining(join(folder.path, 'secret')),
    })
    expect(await readdir(folder.path)).toEqual(['secret'])
  })
})

describe('another secret', () => {
  test('opens what the one before it sealed, and seals with itself', async () => {
    await using folder = await createFolder()
    const before = await sealingOf('server', folder, { TUTTI_SECRET: oldSecret }).seal('sk-1', seat)
    const sealing = sealingOf('server', folder, {
      TUTTI_SECRET: newSecret,
      TUTTI_SECRET_PREVIOUS: oldSecret,
    })
    expect(await sealing.open(before, seat)).toBe('sk-1')
    expect(await sealing.isCurrent(before)).toBe(false)
    const after = await sealing.seal('sk-1', seat)
    expect(await sealing.isCurrent(after)).toBe(true)
    const alone = sealingOf('server', folder, { TUTTI_SECRET: newSecret })
    expect(await alone.open(after, seat)).toBe('sk-1')
    await expect(alone.open(before, seat)).rejects.toMatchObject({
      code: 'secret_wrong',
      message: expect.stringContaining('TUTTI_SECRET_PREVIOUS'),
    })
  })

  test('set for an embedded database, still opens what its file sealed', async () => {
    await using folder = await createFolder()
    const before = await sealingOf('embedded', folder).seal('sk-1', seat)
    const file = await readFile(join(folder.path, 'secret'), 'utf8')
    const sealing = sealingOf('embedded', folder, { TUTTI_SECRET: newSecret })
    expect(await sealing.open(before, seat)).toBe('sk-1')
    expect(await sealing.isCurrent(before)).toBe(false)
    // On the way to a server the text of the file goes along.
    const moved = sealingOf('server', folder, {
      TUTTI_SECRET: newSecret,
      TUTTI_SECRET_PREVIOUS: file.trim(),
    })
    expect(await moved.open(before, seat)).toBe('sk-1')
  })

  test.each(['TUTTI_SECRET', 'TUTTI_SECRET_PREVIOUS'])(
    '%s must be long enough, and is not told',
    (variable) => {
      const secret = 'thirty-one characters are less!'
      expect(() => readSettings(sealingSettings, { [variable]: secret })).toThrow(
        `${variable} must be 32 characters or more`,
      )
      expect(() => readSettings(sealingSettings, { [variable]: secret })).not.toThrow(secret)
    },
  )
})
