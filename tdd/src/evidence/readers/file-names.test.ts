import { describe, expect, test } from 'vitest'
import { isTestFileName, relativeFile } from './file-names.ts'

describe('relativeFile', () => {
  test.each([
    ['/project/src/a.test.ts', '/project', 'src/a.test.ts'],
    ['/project/src/a.test.ts', '/project/', 'src/a.test.ts'],
    ['file:///project/src/a.test.ts', '/project', 'src/a.test.ts'],
    ['./src/a.test.ts', '/project', 'src/a.test.ts'],
    ['/projects/a.test.ts', '/project', '../projects/a.test.ts'],
    ['C:\\project\\src\\a.test.ts', 'C:\\project', 'src/a.test.ts'],
    ['c:/project/src/a.test.ts', 'C:\\project', 'src/a.test.ts'],
    ['file:///C:/project/src/a.test.ts', 'C:\\project', 'src/a.test.ts'],
    ['src\\a.test.ts', 'C:\\project', 'src/a.test.ts'],
    ['src/odd\\name.test.ts', '/project', 'src/odd\\name.test.ts'],
  ])('%s in %s is %s', (file, root, expected) => {
    expect(relativeFile(file, root)).toBe(expected)
  })
})

test.each(['src/add.test.ts', 'test.js', 'add_spec.rb', 't/01.t', 'tests/AddTest.php'])(
  '%s is a test file',
  (name) => {
    expect(isTestFileName(name)).toBe(true)
  },
)

test.each(['utils.js', 'imports src/add.test.ts', 'com.example.AddTest', 'adds', ''])(
  '%s is not a test file',
  (name) => {
    expect(isTestFileName(name)).toBe(false)
  },
)
