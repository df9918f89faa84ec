import { isObject, parseJsonObject } from '../readers/parse-json.ts'
import { type Coverage, coverageOf } from './coverage.ts'

/** Reads the `json-summary` report of Istanbul, which vitest, jest, nyc and c8 share. */
export function readCoverageSummary(text: string): Coverage | undefined {
  const total = parseJsonObject(text)?.['total']
  const lines = isObject(total) ? total['lines'] : undefined
  return isObject(lines) ? coverageOf('coverage-summary', lines['covered'], lines['total']) : undefined
}
