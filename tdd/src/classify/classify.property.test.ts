import * as fc from 'fast-check'
import picomatch from 'picomatch'
import { expect, test } from 'vitest'
import { classify } from './classify.ts'
import { fileClasses } from './file-class.ts'

const word = fc.stringMatching(/^[a-z]{1,8}$/)
/** Words that match no rule, so that only the additions of a test decide. */
const plainWord = word.map((text) => `x${text}`)
const plainFolders = fc.array(plainWord, { maxLength: 4 })
const codeEnding = fc.constantFrom(
  'ts',
  'js',
  'tsx',
  'py',
  'go',
  'rs',
  'java',
  'kt',
  'php',
  'rb',
  'cs',
  'swift',
  'cpp',
  'dart',
)

function classOf(path: string, packageName = '.') {
  return classify({ path, package: packageName, pathInPackage: path })
}

test('every path gets exactly one class', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (path) => {
      expect(fileClasses).toContain(classOf(path))
    }),
  )
})

test('code with plain names is implementation, whatever the language', () => {
  fc.assert(
    fc.property(plainFolders, plainWord, codeEnding, (folders, name, ending) => {
      expect(classOf([...folders, `${name}.${ending}`].join('/'))).toBe('implementation')
    }),
  )
})

test('a word that merely contains "test" or "spec" is no test name', () => {
  const trap = fc.constantFrom(
    'contest',
    'latest',
    'inspector',
    'greatest',
    'attestation',
    'specific',
    'testing',
    'testutil',
  )
  fc.assert(
    fc.property(
      fc.array(fc.oneof(trap, plainWord), { maxLength: 3 }),
      trap,
      codeEnding,
      (folders, name, ending) => {
        expect(classOf([...folders, `${name}.${ending}`].join('/'))).toBe('implementation')
      },
    ),
  )
})

const conventions: readonly ((name: string) => string)[] = [
  (name) => `${name}.test.ts`,
  (name) => `${name}.spec.js`,
  (name) => `${name}-test.mjs`,
  (name) => `test_${name}.py`,
  (name) => `${name}_test.py`,
  (name) => `${name}_test.go`,
  (name) => `${name}_test.rs`,
  (name) => `${capital(name)}Test.java`,
  (name) => `${capital(name)}Tests.kt`,
  (name) => `${capital(name)}IT.java`,
  (name) => `${capital(name)}Test.php`,
  (name) => `${name}_spec.rb`,
  (name) => `${capital(name)}Tests.cs`,
  (name) => `${capital(name)}Tests.swift`,
  (name) => `${name}_test.cpp`,
  (name) => `${name}_test.dart`,
  (name) => `${name}_test.exs`,
  (name) => `${name}.bats`,
]

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

test('the name of a test makes a test in any folder that is not generated', () => {
  fc.assert(
    fc.property(plainFolders, plainWord, fc.constantFrom(...conventions), (folders, name, convention) => {
      expect(classOf([...folders, convention(name)].join('/'))).toBe('test')
    }),
  )
})

test('every file in a test folder is a test, at any depth', () => {
  const folder = fc.constantFrom('test', 'tests', '__tests__', 'fixtures', 'e2e', 'cypress', '__mocks__')
  fc.assert(
    fc.property(
      plainFolders,
      folder,
      plainFolders,
      plainWord,
      codeEnding,
      (above, tests, under, name, ending) => {
        expect(classOf([...above, tests, ...under, `${name}.${ending}`].join('/'))).toBe('test')
      },
    ),
  )
})

test('files in folders that tools fill are generated, whatever their names', () => {
  const folder = fc.constantFrom('node_modules', 'vendor', '__pycache__', '.venv')
  fc.assert(
    fc.property(
      plainFolders,
      folder,
      plainFolders,
      fc.constantFrom('a.test.ts', 'b.ts', 'c.md'),
      (above, tool, under, name) => {
        expect(classOf([...above, tool, ...under, name].join('/'))).toBe('generated')
      },
    ),
  )
})

test('a configured glob decides for exactly the paths it matches', () => {
  const glob = fc.constantFrom('qa/**', '**/*.ts', 'src/*.js', 'x*/**/y.ts', '{a,b}/**')
  const path = fc.tuple(
    fc.array(fc.constantFrom('qa', 'src', 'xa', 'a', 'b', 'lib'), { maxLength: 3 }),
    fc.constantFrom('y.ts', 'z.js'),
  )
  fc.assert(
    fc.property(glob, path, (pattern, [folders, name]) => {
      const file = [...folders, name].join('/')
      const rules = [{ class: 'neutral' as const, pattern: picomatch.makeRe(pattern, { dot: true }) }]
      const found = classify({ path: file, package: '.', pathInPackage: file }, { rules })
      expect(found).toBe(picomatch.isMatch(file, pattern, { dot: true }) ? 'neutral' : 'implementation')
    }),
  )
})
