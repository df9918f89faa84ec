import { describe, expect, test } from 'vitest'
import { beginHistory, type History, record, redo, rewrite, undo } from './history.ts'

interface Labelled {
  readonly label: string
}

const document = (label: string): Labelled => ({ label })
const isSame = (left: Labelled, right: Labelled) => left.label === right.label

/** A history of labels; changes of one group without a pause are merged into one. */
function typed(...labels: readonly { label: string; at: number; group?: string }[]): History<Labelled> {
  return labels.reduce(
    (history, { label, at, group }) =>
      record(history, document(label), {
        what: `to ${label}`,
        ...(group === undefined ? {} : { group }),
        at,
        isSame,
      }),
    beginHistory(document('')),
  )
}

describe('undo and redo', () => {
  test('step through every change, and stop at both ends', () => {
    let history = typed({ label: 'a', at: 0 }, { label: 'b', at: 1 })
    history = undo(history)
    expect(history.present.label).toBe('a')
    expect(history.future[0]?.what).toBe('to b')
    history = undo(undo(undo(history)))
    expect(history.present.label).toBe('')
    history = redo(redo(redo(history)))
    expect(history.present.label).toBe('b')
    expect(history.past.map(({ what }) => what)).toEqual(['to a', 'to b'])
  })

  test('merge a word typed without a pause into one change', () => {
    const word = typed({ label: 'a', at: 0, group: 'title' }, { label: 'ab', at: 300, group: 'title' })
    expect(undo(word).present.label).toBe('')
    const paused = typed({ label: 'a', at: 0, group: 'title' }, { label: 'ab', at: 1_500, group: 'title' })
    expect(undo(paused).present.label).toBe('a')
    const elsewhere = typed({ label: 'a', at: 0, group: 'title' }, { label: 'ab', at: 300, group: 'body' })
    expect(undo(elsewhere).present.label).toBe('a')
  })

  test('a new change discards the undone ones, also in the same field', () => {
    const history = undo(
      typed({ label: 'a', at: 0, group: 'title' }, { label: 'b', at: 5_000, group: 'title' }),
    )
    const other = record(history, document('c'), { what: 'to c', group: 'title', at: 5_100, isSame })
    expect(redo(other).present.label).toBe('c')
    expect(undo(other).present.label).toBe('a')
  })

  test('an edit that leaves the document equal is not recorded', () => {
    expect(typed({ label: '', at: 0 }).past).toEqual([])
  })

  test('the history keeps two hundred changes', () => {
    const labels = Array.from({ length: 250 }, (_, index) => ({ label: `${index + 1}`, at: index }))
    expect(typed(...labels).past).toHaveLength(200)
  })
})

test('a rewritten history keeps its changes, and drops those that no longer change anything', () => {
  const history = undo(typed({ label: 'a', at: 0 }, { label: 'b', at: 1 }, { label: 'c', at: 2 }))
  const shouted = rewrite(history, (it) => ({ ...it, label: it.label.toUpperCase() }), isSame)
  expect(shouted.present.label).toBe('B')
  expect(undo(shouted).present.label).toBe('A')
  expect(redo(shouted).present.label).toBe('C')
  const flat = rewrite(history, (it) => ({ ...it, label: it.label === '' ? '' : 'x' }), isSame)
  expect(flat.past.map(({ document: { label } }) => label)).toEqual([''])
  expect(flat.future).toEqual([])
})
