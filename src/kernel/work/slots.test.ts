import { expect, test } from 'vitest'
import { createSlots } from './slots.ts'

function createShared(limit: number) {
  const slots = createSlots({ limit, isShared: true })
  /** Takes as many slots as the owner may, at most `wanted`. Returns how many. */
  const fill = (owner: string, wanted = limit) => {
    let taken = 0
    for (; taken < wanted && slots.hasFreeFor(owner); taken += 1) slots.take(owner)
    return taken
  }
  return { slots, fill }
}

test.each([
  [0, 0],
  [1, 1],
  [2, 1],
  [4, 3],
  [10, 9],
  [19, 18],
  [20, 18],
  [100, 90],
])('of %i slots one owner may take %i', (limit, most) => {
  expect(createShared(limit).fill('greedy')).toBe(most)
})

test('kept slots are for owners who use fewer than are kept', () => {
  const { slots, fill } = createShared(30)
  expect([fill('greedy'), fill('one', 2), fill('another')]).toEqual([27, 2, 1])
  expect([slots.free(), slots.hasFreeFor('newcomer')]).toEqual([0, false])
  slots.release('greedy')
  expect([slots.free(), slots.freeForAll()]).toEqual([1, -2])
  expect(slots.ownersWithKeptShare()).toEqual(['greedy'])
  expect(['greedy', 'one', 'another', 'newcomer'].map((owner) => slots.hasFreeFor(owner))).toEqual([
    false,
    true,
    true,
    true,
  ])
  slots.take('one')
  expect(slots.ownersWithKeptShare()).toEqual(['greedy', 'one'])
})

test('active owners have equal shares of the slots that are not kept', () => {
  const { slots, fill } = createShared(20)
  expect(slots.ownersWithEqualShare()).toEqual([])
  fill('alone', 17)
  expect(slots.ownersWithEqualShare()).toEqual([])
  slots.take('alone')
  expect(slots.ownersWithEqualShare()).toEqual(['alone'])
  for (let released = 0; released < 10; released += 1) slots.release('alone')
  slots.take('modest')
  // Two owners: nine each.
  expect(slots.ownersWithEqualShare()).toEqual([])
  slots.take('alone')
  expect(slots.ownersWithEqualShare()).toEqual(['alone'])
})

test('without owners all slots are alike', () => {
  const slots = createSlots({ limit: 10, isShared: false })
  for (let taken = 0; taken < 9; taken += 1) slots.take('')
  expect([slots.freeForAll(), slots.hasFreeFor('')]).toEqual([1, true])
  expect([slots.ownersWithKeptShare(), slots.ownersWithEqualShare()]).toEqual([[], []])
})
