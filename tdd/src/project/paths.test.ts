import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { absolutePath, below, parentOf } from './paths.ts'

test.each([
  ['src/a.ts', '/repo', '/repo/src/a.ts'],
  ['./src/../lib/a.ts', '/repo', '/repo/lib/a.ts'],
  ['/repo/src/a.ts', '/elsewhere', '/repo/src/a.ts'],
  ['../../../../x', '/repo', '/x'],
  ['src\\a.ts', 'C:\\repo', 'C:/repo/src/a.ts'],
  ['C:\\repo\\src\\a.ts', 'D:\\other', 'C:/repo/src/a.ts'],
  ['c:/repo/src/a.ts', 'C:\\repo', 'C:/repo/src/a.ts'],
  ['\\\\server\\share\\a.ts', 'C:\\repo', '//server/share/a.ts'],
  ['C:\\Users\\ada\\repo\\a.ts', '/mnt/c/Users/ada/repo', '/mnt/c/Users/ada/repo/a.ts'],
  ['C:\\Users\\ada\\repo\\a.ts', '/home/ada', 'C:/Users/ada/repo/a.ts'],
])('%s seen from %s is %s', (path, cwd, expected) => {
  expect(absolutePath(path, cwd)).toBe(expected)
})

test('a path below a folder is relative to it, ignoring case on Windows', () => {
  expect(below('/repo', '/repo/src/a.ts')).toBe('src/a.ts')
  expect(below('/repo', '/repository/a.ts')).toBeUndefined()
  expect(below('/repo', '/repo')).toBe('.')
  expect(below('/', '/a.ts')).toBe('a.ts')
  expect(below('C:/Repo', 'C:/repo/Src/a.ts')).toBe('Src/a.ts')
  expect(below('/Repo', '/repo/a.ts')).toBeUndefined()
})

test('every path resolves to a root', () => {
  expect(parentOf('/a/b')).toBe('/a')
  expect(parentOf('/a')).toBe('/')
  expect(parentOf('/')).toBe('/')
  expect(parentOf('C:/a')).toBe('C:/')
  expect(parentOf('C:/')).toBe('C:/')
})

test('Windows and POSIX spellings mean the same file', () => {
  const segment = fc.stringMatching(/^[a-z0-9_.-]{1,8}$/)
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), (segments) => {
      expect(absolutePath(segments.join('\\'), '/repo')).toBe(absolutePath(segments.join('/'), '/repo'))
      const cwd = 'C:\\repo'
      expect(absolutePath(`C:\\repo\\${segments.join('\\')}`, cwd)).toBe(
        absolutePath(segments.join('/'), cwd),
      )
    }),
  )
})
