import { readFileSync, statSync } from 'node:fs'
import { writeFileAtomically } from '../state/atomic-file.ts'
import type { Json } from './setup.ts'

export interface JsonFile {
  readonly value: Json
  /** The indentation of the file. */
  readonly indent: string | number
}

/** Reads a JSON file of the user; undefined when it does not exist. Throws unless it contains an object. */
export function readJsonFile(file: string): JsonFile | undefined {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') return { value: {}, indent: 2 }
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('not a JSON object')
  return { value: value as Json, indent: /^\{\r?\n([\t ]+)/.exec(text)?.[1] ?? 2 }
}

export function writeJsonFile(file: string, { value, indent }: JsonFile): void {
  writeFileAtomically(file, `${JSON.stringify(value, null, indent)}\n`)
}
