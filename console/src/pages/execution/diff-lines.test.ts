import { expect, test } from 'vitest'
import { diffLines } from './diff-lines.ts'

const told = (left: string, right: string) =>
  diffLines(left, right).map(({ kind, text }) => `${{ same: ' ', left: '-', right: '+' }[kind]}${text}`)

test.each([
  ['a\nb\nc', 'a\nb\nc', [' a', ' b', ' c']],
  ['a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
  ['a\nc', 'a\nb\nc', [' a', '+b', ' c']],
  ['', 'new', ['-', '+new']],
  ['x\na\nb', 'a\nb\ny', ['-x', ' a', ' b', '+y']],
])('%j and %j', (left, right, expected) => {
  expect(told(left, right)).toEqual(expected)
})

test('both texts can be read from it again', () => {
  const [left, right] = ['one\ntwo\nthree\nfour', 'zero\ntwo\nfour\nfive\nsix']
  const lines = diffLines(left, right)
  const only = (other: string) =>
    lines
      .filter(({ kind }) => kind !== other)
      .map(({ text }) => text)
      .join('\n')
  expect([only('right'), only('left')]).toEqual([left, right])
})

test('very long texts are told as replaced', () => {
  const [left, right] = ['a', 'b'].map((word) =>
    Array.from({ length: 2500 }, (_, at) => `${word} ${at}`).join('\n'),
  )
  expect(diffLines(left ?? '', right ?? '')).toHaveLength(5000)
})
