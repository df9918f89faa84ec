import { expect, test } from 'vitest'
import { parseStat, type RunningProcess, sumBelow } from './processes.ts'

test('a line of /proc is read, also with parentheses and spaces in the name of the program', () => {
  const fields = ['S', 7, ...Array.from({ length: 9 }, () => 0), 100, 20, 3, 2, 0, 0, 1, 0, 9000]
  expect(parseStat(12, `12 (a (b) c) ${fields.join(' ')} 0 0`)).toEqual({
    pid: 12,
    parent: 7,
    name: 'a (b) c',
    processorSeconds: 1.25,
    started: 9000,
  })
})

test('the seconds below a process are its own and those of all its descendants', () => {
  const parents = { 1: 0, 2: 1, 3: 2, 4: 0 }
  const processes = Object.entries(parents).map(([pid, parent]): [number, RunningProcess] => [
    Number(pid),
    { pid: Number(pid), parent, name: 'node', processorSeconds: 10 ** Number(pid), started: 0 },
  ])
  expect(sumBelow(new Map(processes), 1)).toBe(1110)
})
