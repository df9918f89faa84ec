import { kernelFailure } from '#kernel/errors'
import type { Fallback } from '../../gateway/contract.ts'
import { longestModelName } from './model-name.ts'

const header = 'X-Model-Fallback'
const mostModels = 8

/** Reads who else may answer: `none`, `any`, or models in the order they are to be asked. */
export function readFallback(value: string | readonly string[] | undefined): Fallback {
  const names = [value ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const [first] = names
  if (first === undefined) return 'none'
  if (names.length === 1 && (first === 'none' || first === 'any')) return first
  if (names.includes('none') || names.includes('any')) {
    throw refuse('is either none, any, or a list of models')
  }
  if (names.length > mostModels) throw refuse(`names ${names.length} models, and may name ${mostModels}`)
  if (names.some((name) => name.length > longestModelName)) throw refuse('names a model that is too long')
  return names
}

function refuse(message: string) {
  return kernelFailure('invalid_input', {
    message: `${header} ${message}.`,
    problems: [{ path: header, message, code: 'header' }],
    details: { part: 'headers' },
  })
}
