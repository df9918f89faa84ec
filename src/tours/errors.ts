import { defineFailures, type Failure, kernelFailure, type Problem } from '#kernel/errors'

const toursFailureTable = {
  tour_not_found: { status: 404, message: 'There is no such tour.' },
  step_not_found: { status: 404, message: 'The tour has no such step.' },
  template_not_found: { status: 404, message: 'There is no such template.' },
  version_not_found: { status: 404, message: 'The tour has no such version.' },
  site_not_found: { status: 404, message: 'There is no such site.' },
  origin_not_allowed: { status: 403, message: 'The site of the tour does not allow pages of this origin.' },
  recipe_not_found: { status: 404, message: 'There is no such recipe.' },
  download_not_found: {
    status: 404,
    message: 'There is no such file, or it has expired. Export the tour again.',
  },
  wrong_here: { status: 422, message: 'The tour in its current state does not allow this change.' },
  tour_changed: {
    status: 409,
    message: 'The tour was changed by another request. Read it again and repeat your change.',
  },
} as const

export const toursFailure = defineFailures(toursFailureTable)

/** 400: a field is missing, or has the wrong type or length. */
export function invalid(problems: readonly Problem[]): Failure {
  return kernelFailure('invalid_input', { message: summarize(problems), problems })
}

/** 422: a well-formed field has a value that is not allowed. The codes are those of the fields. */
export function unprocessable(...problems: readonly Problem[]): Failure {
  return toursFailure('wrong_here', { message: summarize(problems), problems })
}

export function noSuchTour(id: string): Failure {
  return toursFailure('tour_not_found', {
    message: `There is no tour "${id}".`,
    problems: [{ path: 'tour', message: 'does not exist', code: 'not_found' }],
  })
}

export function noSuchStep(tour: string, step: string, path: string): Failure {
  return toursFailure('step_not_found', {
    message: `The tour "${tour}" has no step "${step}".`,
    problems: [{ path, message: 'is not a step of this tour', code: 'not_found' }],
  })
}

/** A problem as a sentence, which begins with the path of its field. */
export function toSentence({ path, message }: Problem): string {
  return `${path === '' ? 'The body' : path} ${message}${/[.!?]$/.test(message) ? '' : '.'}`
}

function summarize([first, ...more]: readonly Problem[]): string {
  if (first === undefined) return 'The body is not valid.'
  return more.length === 0 ? toSentence(first) : `${first.path} ${first.message} (and ${more.length} more).`
}
