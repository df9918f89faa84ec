import { describe, expect, test } from 'vitest'
import { readEventSearch } from './event-search.ts'

describe('readEventSearch', () => {
  test.each([
    [{}, {}],
    [
      { type: 'task.failed', event: 7 },
      { type: 'task.failed', event: 7 },
    ],
    [
      { type: 404, event: '12' },
      { type: '404', event: 12 },
    ],
    [{ type: '  ', event: 'soon' }, {}],
    [{ type: ['a'], event: -1 }, {}],
    [{ event: 1.5, other: true }, {}],
    [{ group: 'models' }, { group: 'models' }],
    [{ group: 'nothing' }, {}],
    [{ group: 'models', type: 'a.b' }, { type: 'a.b' }],
  ])('reads %j as %j', (search, read) => {
    expect(readEventSearch(search)).toEqual(read)
  })
})
