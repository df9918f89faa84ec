import { type Failure, failuresOf, kernelFailure, type Problem } from '#kernel/errors'

/** What can go wrong here. */
const toursFailureTable = {
  tour_not_found: { status: 404, message: 'There is no such tour.' },
  step_not_found: { status: 404, message: 'The tour has no such step.' },
  template_not_found: { status: 404, message: 'There is no such template.' },
  recipe_not_found: { status: 404, message: 'There is no such recipe.' },
  download_not_found: {
    status: 404,
    message: 'There is no such file, or it has expired. Export the tour again.',
  },
  wrong_here: { status: 422, message: 'This cannot be done with the tour as it is.' },
  tour_changed: { status: 409, message: 'Somebody else changed the tour meanwhile.' },
} as const

export const toursFailure = failuresOf(toursFailureTable)

/** What cannot be read: a field of the wrong type or length, or one that is missing. */
export function invalid(problems: readonly Problem[]): Failure {
  return kernelFailure('invalid_input', { message: tell(problems), problems, details: { part: 'body' } })
}

/** What can be read and still cannot be: told apart by the code of each field. */
export function wrongHere(...problems: readonly Problem[]): Failure {
  return toursFailure('wrong_here', { message: tell(problems), problems })
}

export function noSuchTour(id: string): Failure {
  return toursFailure('tour_not_found', {
    message: `There is no tour "${id}".`,
    problems: [{ path: 'tour', message: 'names no tour', code: 'not_found' }],
  })
}

export function noSuchStep(tour: string, step: string, path: string): Failure {
  return toursFailure('step_not_found', {
    message: `The tour "${tour}" has no step "${step}".`,
    problems: [{ path, message: 'names no step of this tour', code: 'not_found' }],
  })
}

function tell([first, ...more]: readonly Problem[]): string {
  if (first === undefined) return 'The body is not valid.'
  return `${first.path} ${first.message}${more.length > 0 ? ` (and ${more.length} more)` : ''}.`
}
