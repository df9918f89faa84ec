import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFairTurns, type FairTurns } from './fair-turns.ts'

/** The order in which items of one thread run, each for the time in its name: `a 3`. */
function runAll(turns: FairTurns<string>, limit = 1000): string[] {
  const order: string[] = []
  while (order.length < limit) {
    const item = turns.next()
    if (item === undefined) break
    order.push(item)
    const [accountId = '', usedMs = ''] = item.split(' ')
    turns.end(accountId, Number(usedMs))
  }
  return order
}

function addAll(turns: FairTurns<string>, items: readonly string[]): void {
  for (const item of items) turns.add(item.split(' ')[0] ?? '', item)
}

test('the account with the least time used is next, not the one with the fewest turns', () => {
  const turns = createFairTurns<string>({ turns: 1 })
  addAll(turns, ['a 9', 'a 9', 'b 3', 'b 3', 'b 3', 'b 3'])
  expect(runAll(turns)).toEqual(['a 9', 'b 3', 'b 3', 'b 3', 'a 9', 'b 3'])
})

test('items of an account keep their order, and a removed one is left out', () => {
  const turns = createFairTurns<string>({ turns: 1 })
  addAll(turns, ['a 1', 'a 2', 'a 3'])
  turns.remove('a', 'a 2')
  turns.remove('b', 'b 1')
  expect(runAll(turns)).toEqual(['a 1', 'a 3'])
})

test('an account has one turn at a time, also when it waits alone', () => {
  const turns = createFairTurns<string>({ turns: 2 })
  addAll(turns, ['a 1', 'a 2'])
  expect([turns.next(), turns.next(), turns.begin('a')]).toEqual(['a 1', undefined, false])
  addAll(turns, ['b 1', 'c 1'])
  expect([turns.next(), turns.next(), turns.begin('c')]).toEqual(['b 1', undefined, false])
  turns.end('a', 1)
  expect(turns.next()).toBe('c 1')
})

test('a turn that begins without waiting counts as any other', () => {
  const turns = createFairTurns<string>({ turns: 1 })
  expect(turns.begin('a')).toBe(true)
  addAll(turns, ['a 1', 'b 1', 'b 1', 'b 1'])
  expect(turns.next()).toBe(undefined)
  turns.end('a', 2)
  expect(runAll(turns)).toEqual(['b 1', 'b 1', 'a 1', 'b 1'])
})

test('an account that was away neither waits for what others used meanwhile nor has a credit', () => {
  const turns = createFairTurns<string>({ turns: 1 })
  addAll(
    turns,
    Array.from({ length: 50 }, () => 'a 10'),
  )
  runAll(turns, 20)
  addAll(turns, ['b 10', 'b 10', 'b 10'])
  expect(runAll(turns, 5).map((item) => item[0])).toEqual(['b', 'a', 'b', 'a', 'b'])
})

test('two accounts that always wait have used equal times but for one turn, whatever else arrives', () => {
  const maxMs = 10
  const turn = fc.record({
    account: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    ms: fc.integer({ min: 1, max: maxMs }),
  })
  fc.assert(
    fc.property(
      fc.array(turn, { maxLength: 200 }),
      fc.array(fc.integer({ min: 1, max: maxMs })),
      (arrivals, times) => {
        const turns = createFairTurns<string>({ turns: 1 })
        const usedMs = new Map<string, number>()
        let count = 0
        const addBusy = (account: string) =>
          turns.add(account, `${account} ${times[(count += 1) % times.length] ?? maxMs}`)
        addBusy('busy1')
        addBusy('busy2')
        for (const { account, ms } of arrivals) {
          turns.add(account, `${account} ${ms}`)
          const item = turns.next()
          const [accountId = '', took = ''] = item?.split(' ') ?? []
          if (accountId.startsWith('busy')) addBusy(accountId)
          turns.end(accountId, Number(took))
          usedMs.set(accountId, (usedMs.get(accountId) ?? 0) + Number(took))
          expect(Math.abs((usedMs.get('busy1') ?? 0) - (usedMs.get('busy2') ?? 0))).toBeLessThanOrEqual(maxMs)
        }
      },
    ),
  )
})

test('accounts are forgotten when nothing waits, and beyond a thousand', () => {
  const turns = createFairTurns<string>({ turns: 2 })
  turns.begin('long')
  addAll(
    turns,
    Array.from({ length: 2000 }, (_unused, index) => `account${index} 1`),
  )
  runAll(turns, 2000)
  expect(turns.size).toBeLessThanOrEqual(1001)
  turns.end('long', 1)
  expect(turns.size).toBe(0)
})
