import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  bigIntegers,
  booleans,
  integers,
  jsons,
  smallIntegers,
  texts,
  timestamps,
  uuids,
} from '../../src/engine/store/binary-arrays.ts'
import { createTestDatabase } from '../support/test-database.ts'

const ids = [randomUUID(), randomUUID(), randomUUID()]

test('arrays arrive at PostgreSQL unchanged, nulls included', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  const rows = await database.query(
    `
      select * from unnest(
        $1::uuid[], $2::boolean[], $3::smallint[], $4::integer[], $5::bigint[], $6::timestamptz[], $7::text[], $8::json[], $9::text[]
      ) as it (id, flag, small, whole, big, at, text, json, nothing)
    `,
    [
      uuids(ids),
      booleans([true, false, true]),
      smallIntegers([0, -1, 32_767]),
      integers([0, -2_147_483_648, 2_147_483_647]),
      bigIntegers([Number.MAX_SAFE_INTEGER, null, -4_294_967_297]),
      timestamps([new Date('1999-12-31T23:59:59.999Z'), null, new Date('2026-11-15T12:00:00.001Z')]),
      texts(['', 'ä € 😀 "\\\n', null]),
      jsons(['{"a":[1,"é"]}', null, '"x"']),
      texts([null, null, null]),
    ],
  )
  expect(rows).toEqual([
    {
      id: ids[0],
      flag: true,
      small: 0,
      whole: 0,
      big: Number.MAX_SAFE_INTEGER,
      at: new Date('1999-12-31T23:59:59.999Z'),
      text: '',
      json: { a: [1, 'é'] },
      nothing: null,
    },
    {
      id: ids[1],
      flag: false,
      small: -1,
      whole: -2_147_483_648,
      big: null,
      at: null,
      text: 'ä € 😀 "\\\n',
      json: null,
      nothing: null,
    },
    {
      id: ids[2],
      flag: true,
      small: 32_767,
      whole: 2_147_483_647,
      big: -4_294_967_297,
      at: new Date('2026-11-15T12:00:00.001Z'),
      text: null,
      json: 'x',
      nothing: null,
    },
  ])
})

test('empty arrays have no rows', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  expect(
    await database.query('select * from unnest($1::integer[], $2::text[])', [integers([]), texts([])]),
  ).toEqual([])
})

test('an invalid uuid is refused', () => {
  expect(() => uuids(['not-a-uuid'])).toThrow('"not-a-uuid" is not a uuid')
})
