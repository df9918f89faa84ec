import { Type } from 'typebox'

export const maxModelNameLength = 512

/** The `model` field of every request. */
export const modelNameSchema = Type.String({
  minLength: 1,
  maxLength: maxModelNameLength,
  description: 'A model id, `provider/id`, the name of a route, or `auto` for the default model.',
})
