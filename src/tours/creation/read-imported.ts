import type { Static } from 'typebox'
import { createValueCheck } from '#kernel/http'
import { invalid } from '../errors.ts'
import { readImport } from '../recipes/read-import.ts'
import { ImportedTour } from '../routes/requests.ts'

const findProblems = createValueCheck(ImportedTour)

/** Reads a tour that was made elsewhere: as this interface answers tours, or as a recipe it exported. */
export function readImported(given: unknown): Static<typeof ImportedTour> {
  const tour = readImport(given)
  const problems = findProblems(tour)
  if (problems.length === 0) return tour as Static<typeof ImportedTour>
  throw invalid(
    problems.map(({ path, message, code }) => ({
      path: path === '' ? 'tour' : `tour.${path}`,
      message,
      code,
    })),
  )
}
