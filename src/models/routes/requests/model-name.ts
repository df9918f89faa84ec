import { Type } from 'typebox'

export const maxModelNameLength = 512

/** The model a caller asks for, in every body. */
export const modelNameSchema = Type.String({
  minLength: 1,
  maxLength: maxModelNameLength,
  description: 'An id of the list of models, `provider/id`, or `auto` for the best one there is.',
})
