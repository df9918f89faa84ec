import { Type } from 'typebox'

export const longestModelName = 512

/** The model a caller asks for, in every body. */
export const modelNameSchema = Type.String({
  minLength: 1,
  maxLength: longestModelName,
  description: 'An id of the list of models, `provider/id`, or `auto` for the best one there is.',
})
