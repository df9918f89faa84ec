/**
 * Arrays in PostgreSQL's binary format, one per column, for statements that write many rows with `unnest`. Encoding the rows as JSON
 * took both sides more time than the rest of such a statement.
 *
 * A column with nothing but nulls is sent as null: `unnest` fills shorter arrays with nulls.
 */
export type ArrayParameter = Buffer | null

/** PostgreSQL's object ids of the element types. */
const oids = {
  bool: 16,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  json: 114,
  timestamptz: 1184,
  uuid: 2950,
} as const

/**
 * The parameters from `$from` on as rows, one column per type. The first array is wrapped in a subselect to hide its length from the
 * planner: with a known short length it planned the statement for every call, which took longer than running it.
 */
export function unnest(from: number, types: readonly string[]): string {
  const lists = types.map((type, index) => `$${from + index}::${type}[]`)
  return `unnest((select ${lists[0]}), ${lists.slice(1).join(', ')})`
}

const headerBytes = 20

/** `timestamptz` counts from the year 2000, in microseconds. */
const year2000Ms = 946_684_800_000

export function booleans(values: readonly boolean[]): ArrayParameter {
  return fixed(oids.bool, 1, values, (bytes, at, value) => void (bytes[at] = value ? 1 : 0))
}

export function smallIntegers(values: readonly number[]): ArrayParameter {
  return fixed(oids.int2, 2, values, (bytes, at, value) => bytes.writeInt16BE(value, at))
}

export function integers(values: readonly number[]): ArrayParameter {
  return fixed(oids.int4, 4, values, (bytes, at, value) => bytes.writeInt32BE(value, at))
}

export function bigIntegers(values: readonly (number | null)[]): ArrayParameter {
  return fixed(oids.int8, 8, values, writeInt64)
}

export function timestamps(values: readonly (Date | null)[]): ArrayParameter {
  return fixed(oids.timestamptz, 8, values, (bytes, at, value) =>
    writeInt64(bytes, at, (value.getTime() - year2000Ms) * 1000),
  )
}

export function uuids(values: readonly (string | null)[]): ArrayParameter {
  return fixed(oids.uuid, 16, values, (bytes, at, value) => {
    if (bytes.write(value.replaceAll('-', ''), at, 16, 'hex') !== 16)
      throw new Error(`"${value}" is not a uuid`)
  })
}

export function texts(values: readonly (string | null)[]): ArrayParameter {
  return variable(oids.text, values)
}

/** Text that is JSON. */
export function jsons(values: readonly (string | null)[]): ArrayParameter {
  return variable(oids.json, values)
}

function variable(oid: number, values: readonly (string | null)[]): ArrayParameter {
  if (isEmpty(values)) return null
  let length = headerBytes
  for (const value of values) length += 4 + (value === null ? 0 : maxBytes(value))
  const bytes = begin(oid, values, length)
  let at = headerBytes
  for (const value of values) {
    const written = value === null ? 0 : bytes.write(value, at + 4)
    bytes.writeInt32BE(value === null ? -1 : written, at)
    at += 4 + written
  }
  return bytes.subarray(0, at)
}

/** Counting the bytes of a short text would cost more than bytes that stay unused, three for each character at most. */
function maxBytes(text: string): number {
  return text.length < countedFrom ? text.length * 3 : Buffer.byteLength(text)
}

const countedFrom = 64 * 1024

/** Encodes elements of a fixed size. */
function fixed<Value>(
  oid: number,
  size: number,
  values: readonly (Value | null)[],
  write: (bytes: Buffer, at: number, value: Value) => void,
): ArrayParameter {
  if (isEmpty(values)) return null
  const bytes = begin(oid, values, headerBytes + values.length * (4 + size))
  let at = headerBytes
  for (const value of values) {
    bytes.writeInt32BE(value === null ? -1 : size, at)
    at += 4
    if (value === null) continue
    write(bytes, at, value)
    at += size
  }
  return bytes.subarray(0, at)
}

function isEmpty(values: readonly unknown[]): boolean {
  return values.every((value) => value === null)
}

/** Writes the header of an array with one dimension and lower bound 1. */
function begin(oid: number, values: readonly unknown[], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  bytes.writeInt32BE(1, 0)
  bytes.writeInt32BE(values.includes(null) ? 1 : 0, 4)
  bytes.writeInt32BE(oid, 8)
  bytes.writeInt32BE(values.length, 12)
  bytes.writeInt32BE(1, 16)
  return bytes
}

/** Avoids a BigInt per element: all values are safe integers. */
function writeInt64(bytes: Buffer, at: number, value: number): void {
  const high = Math.floor(value / 2 ** 32)
  bytes.writeInt32BE(high, at)
  bytes.writeUInt32BE(value - high * 2 ** 32, at + 4)
}

/**
 * Executions per statement. Enough to make the overhead of a statement small, and few enough that of the fifty executions of a process
 * some continue while others are committed: with all fifty in one commit, process and database would take turns idling.
 */
export const maxPerBatch = 32
