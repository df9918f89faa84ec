import { Type } from 'typebox'
import { type ApiDefinition, type ErrorView, perCaller, plainErrorFormat } from '#kernel/http'
import { toSentence } from './errors.ts'
import { Tour } from './tour.ts'

export const toursPath = '/admin/structure/recipe-onboarding/tours'
export const builderApiPath = '/api/recipe-tour-builder'

/** The HTTP API of tours. */
export const toursApi: ApiDefinition = {
  name: 'tours',
  title: 'Tours',
  version: '1.0.0',
  description: 'Guided tours: built in the browser, played on any page, exported as recipes.',
  prefixes: [toursPath, builderApiPath, '/tours'],
  errorCodes: plainErrorFormat.errorCodes,
  errorBody,
  errorSchema: Type.Object({
    success: Type.Boolean(),
    message: Type.String(),
    errors: Type.Array(Type.Object({ field: Type.String(), message: Type.String(), code: Type.String() })),
    tour: Type.Optional({ ...Tour, description: 'The current tour, when another request changed it.' }),
    request_id: Type.String(),
  }),
  ratePolicy: perCaller({
    name: 'tours',
    signedIn: { limit: 100, windowSeconds: 60 },
    anonymous: { limit: 20, windowSeconds: 60 },
  }),
}

/** Every failure has at least one entry in `errors`, so that clients can always read its code there. */
function errorBody({ code, message, problems, details, requestId }: ErrorView) {
  const errors = problems.map((problem) => ({
    field: problem.path,
    message: toSentence(problem),
    code: problem.code,
  }))
  return {
    ...('tour' in details && { tour: details['tour'] }),
    success: false,
    message,
    errors: errors.length > 0 ? errors : [{ field: '', message, code }],
    request_id: requestId,
  }
}
